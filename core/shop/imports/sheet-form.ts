import { CURRENCY_WORDS } from '../../lib/money/currency-marks.ts'
import { bare, fold } from '../../platform/geo/names/fold.ts'

/** A column that a sheet may have. */
export interface SheetColumn {
  readonly name: string
  /** Headings that people give it, besides its name. */
  readonly headings: readonly string[]
  readonly description: string
}

/** The sheets that an import takes. Plain data: it goes to the worker that reads files. */
export interface SheetForm {
  /** What its rows are: `products`. */
  readonly subject: string
  readonly columns: readonly SheetColumn[]
  /** Of each of these lists, a sheet has at least one column. */
  readonly needs: readonly (readonly string[])[]
}

/** Remarks in a heading: `Prix (DA)`. */
const ASIDE = /\([^)]*\)/g
/** Words that are written together: `compareAtPrice`. */
const CAMEL = /(\p{Ll})(\p{Lu})/gu
/** Separators of two ways to say the same: `Ville / المدينة`. */
const SEVERAL = /[/|\n]|\s[-–—]\s/
const SMALL = new Set(['de', 'du', 'des', 'd', 'of', 'the'])
const HEADING_MAX = 250

/** Folds a heading so that it can be compared: without case, accents, marks, articles and currency. Empty for a long text. */
export function foldHeading(heading: string): string {
  if (heading.length > HEADING_MAX) return ''
  const words = fold(heading.replace(ASIDE, ' ').replace(CAMEL, '$1 $2')).replace(CURRENCY_WORDS, ' ').trim().split(/ +/)
  return bare(words.filter((word) => !SMALL.has(word)).join(' '))
}

/** Makes a function that finds the column of a heading. */
export function columnFinder({ columns }: SheetForm): (heading: string) => string | undefined {
  const byHeading = new Map(
    columns.flatMap(({ name, headings }) =>
      [name, name.toLowerCase(), ...headings].map((heading) => [foldHeading(heading), name] as const),
    ),
  )
  return (heading) => {
    const whole = byHeading.get(foldHeading(heading))
    if (whole !== undefined || heading.length > HEADING_MAX) return whole
    const parts = new Set(heading.split(SEVERAL).map((part) => byHeading.get(foldHeading(part))))
    return parts.size === 1 ? [...parts][0] : undefined
  }
}
