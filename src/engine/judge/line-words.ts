// Words that the rules about lines know, as the kernel is given them. A word may stand in several tables.
import { BARE_KEYWORDS, DEFINING_WORDS, DEFINITION_WORDS, IMPORT_WORDS, NOT_CALLED } from '../kernel-contract.ts';

export const LINE_WORDS: readonly { readonly table: number; readonly words: string }[] = [
  {
    // Alone or together they carry no meaning. The words of a line run together: `} else if (` is "elseif".
    table: BARE_KEYWORDS,
    words: `else elseif elif elsif try catch finally except rescue ensure begin end endif fi done esac od do then pass
      break continue return default loop repeat endfor endwhile endfunction endfunc endblock endwith None null nil true
      false super self this in of is case when public private protected EOF`,
  },
  {
    // A line that begins with one of them begins a definition: the comment above documents it.
    table: DEFINITION_WORDS,
    words: `def class func function fn pub public private protected internal static export async interface struct type
      impl trait enum module sub abstract final override template defp defmodule defmacro object data record namespace
      package procedure fun suspend open sealed unsafe extern inline virtual`,
  },
  {
    // Before a parenthesis they are no call.
    table: NOT_CALLED,
    words: `if for while switch catch return elif elsif elseif and or not in is def function func fn class print_r typeof
      sizeof instanceof new delete throw raise yield await async lambda with except assert del match case when unless
      until do else try using lock foreach fixed checked unchecked synchronized super constructor void let const var
      where values select from into import export require_once include_once exec of as range`,
  },
  {
    // Before a name they define it.
    table: DEFINING_WORDS,
    words: 'def function func fn fun sub class interface struct trait enum macro procedure defp defmacro void',
  },
  {
    // A line that begins with one of them names what its file needs: many files name the same.
    table: IMPORT_WORDS,
    words: 'import from use using include require require_relative package extern load open alias',
  },
];
