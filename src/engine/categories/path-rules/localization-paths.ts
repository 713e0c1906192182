// Where translated texts are kept. A code of a language alone is too little (`src/go`, `lib/is`): it has to stand in a
// folder of translations, or after the word for texts.

import { both, either, inFolder, named } from './path-test.ts';

/** ISO 639-1, as far as programs are translated; with a script or a region as in zh-Hans, pt_BR and sr@latin. */
const LANGUAGES =
  'a[bfmrsyz]|b[aegnors]|c[aosy]|d[aevz]|e[elnostu]|f[afijory]|g[aduln]|h[aeiruy]|i[adgst]|j[av]|k[aklmnoruy]|l[abntv]|m[gikhlnrsty]|n[belno]|o[mrs]|p[alst]|qu|r[mouw]|s[adikloqrtuvw]|t[aeghklnrt]|u[gkrz]|v[io]|wo|xh|y[io]|z[hu]|fil|haw|kab|dsb|hsb|ast|nds|vec|szl|ckb';
const LOCALE = `(${LANGUAGES})([-_@][a-z0-9]{2,8}){0,2}`;
const FOLDER = '(locales?|i18n|l10n|translations?|locali[sz]ations?|locali[sz]e|intl)';
const TEXT_FORMAT =
  '(json5?|jsonc|ya?ml|toml|properties|ini|xml|php|txt|csv|ftl|lang|cfg|js|cjs|mjs|ts|py|rb|ex|exs|lua)';
const WORDS =
  '(strings?|messages?|texts?|labels?|translations?|locales?|lang|i18n|l10n|resources?|validators?|catalog)';

const inTranslations = inFolder(new RegExp(`(^|/)${FOLDER}/`, 'i'));
const LANGUAGE_FOLDER = '(^|/)(lang|langs|languages?)/';
const LANGUAGE_FORMAT = '(json5?|ya?ml|properties|php|ini|xml|lang|txt)';

export const isLocalization = either(
  named(
    /\.(po|xlf|xliff|xlb|arb|resx|resw|strings|stringsdict|xcstrings|tmx|l10n|qm)$/i,
    // messages_de.properties, templatestrings.zh-Hans.json, systemd.pl.catalog.in
    new RegExp(`${WORDS}[._-]${LOCALE}\\.(json5?|ya?ml|properties|xml|php|txt|ini|csv)$`, 'i'),
    new RegExp(`\\.${LOCALE}\\.catalog(\\.in)?$`),
    /^(messages|strings|translations)\.properties$/,
  ),
  // a folder of translations, and in it a file or a folder of one language
  both(inTranslations, named(new RegExp(`^${LOCALE}\\.${TEXT_FORMAT}$`, 'i'))),
  both(inFolder(new RegExp(`(^|/)${FOLDER}/(.+/)?${LOCALE}/`, 'i')), named(new RegExp(`[^/]\\.${TEXT_FORMAT}$`, 'i'))),
  both(
    inTranslations,
    named(new RegExp(`[._-]${LOCALE}\\.(json5?|jsonc|ya?ml|toml|properties|xml|ftl|php|txt)$`, 'i')),
  ),
  both(inFolder(new RegExp(LANGUAGE_FOLDER, 'i')), named(new RegExp(`^${LOCALE}\\.${LANGUAGE_FORMAT}$`, 'i'))),
  both(
    inFolder(new RegExp(`${LANGUAGE_FOLDER}(.+/)?${LOCALE}/$`, 'i')),
    named(new RegExp(`[^/]\\.${LANGUAGE_FORMAT}$`, 'i')),
  ),
  inFolder(
    /(^|\/)(config\/locales?|LC_MESSAGES)\//,
    // mobile platforms
    /(^|\/)[\w-]+\.lproj\//,
  ),
  both(inFolder(/(^|\/)res\/values(-[a-z]{2,3}(-r[A-Z]{2})?)?\/$/), named(/^(strings|plurals|arrays)[^/]*\.xml$/)),
);
