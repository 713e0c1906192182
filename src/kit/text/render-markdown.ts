// Markdown from users → HTML that is safe to show: no raw HTML, no addresses but web and mail, no images
// that would tell another server who is reading.
import MarkdownIt from 'markdown-it';

const SAFE_ADDRESS = /^(?:https?:\/\/|mailto:)/i;

const markdown = new MarkdownIt('default', { html: false, linkify: true, breaks: false });
markdown.disable('image');
markdown.validateLink = (address: string): boolean => SAFE_ADDRESS.test(address.trim());
markdown.renderer.rules.link_open = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet('rel', 'nofollow noopener noreferrer');
  return self.renderToken(tokens, index, options);
};

export const renderMarkdown = (text: string): string => markdown.render(text).trim();
