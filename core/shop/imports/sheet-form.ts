import { CURRENCY_WORDS } from '../../lib/money/currency-marks.ts'
import { fold, removeArticles } from '../../platform/geo/names/fold.ts'

/** Column that a sheet may have. */
export interface SheetColumn {
  readonly name: string
  /** Other headings that are recognized, besides the name. */
  readonly headings: readonly string[]
  readonly description: string
  /** True for numbers, codes and phone numbers: an apostrophe before them is a spreadsheet's mark of a text. */
  readonly isNumeric?: boolean
}

/** Columns that an import accepts. Plain data, because it is sent to the worker that reads files. */
export interface SheetForm {
  /** Plural name of the rows, such as `products`. */
  readonly subject: string
  readonly columns: readonly SheetColumn[]
  /** Lists of column names. A sheet needs at least one column of each list. */
  readonly needs: readonly (readonly string[])[]
}

/** Remark in a heading, as in `Prix (DA)`. */
const REMARK = /\([^)]*\)/g
/** Boundary between words in camel case, as in `compareAtPrice`. */
const CAMEL_CASE = /(\p{Ll})(\p{Lu})/gu
/** Separators between translations of one heading, as in `Ville / المدينة`. */
const TRANSLATION_SEPARATOR = /[/|\n]|\s[-–—]\s/
const ARTICLES = new Set(['de', 'du', 'des', 'd', 'of', 'the'])
const HEADING_MAX = 250

/** Folds a heading for comparison: without case, accents, punctuation, articles and currency. Returns an empty text for a long heading. */
export function foldHeading(heading: string): string {
  if (heading.length > HEADING_MAX) return ''
  const words = fold(heading.replace(REMARK, ' ').replace(CAMEL_CASE, '$1 $2')).replace(CURRENCY_WORDS, ' ').trim().split(/ +/)
  return removeArticles(words.filter((word) => !ARTICLES.has(word)).join(' '))
}

/** Creates a function that finds the column of a heading; it returns undefined where none or several match. */
export function columnFinder({ columns }: SheetForm): (heading: string) => string | undefined {
  const byHeading = new Map(
    columns.flatMap(({ name, headings }) =>
      [name, name.toLowerCase(), ...headings].map((heading) => [foldHeading(heading), name] as const),
    ),
  )
  return (heading) => {
    const whole = byHeading.get(foldHeading(heading))
    if (whole !== undefined || heading.length > HEADING_MAX) return whole
    const parts = new Set(heading.split(TRANSLATION_SEPARATOR).map((part) => byHeading.get(foldHeading(part))))
    return parts.size === 1 ? [...parts][0] : undefined
  }
}
