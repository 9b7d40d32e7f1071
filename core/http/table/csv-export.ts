import { Type as T, type TObject, type TProperties } from '@sinclair/typebox'
import { invalid } from '../errors.ts'
import { fewAtOnce } from '../few.ts'
import { type Language, languageOf, languages } from '../language.ts'
import type { PageOf } from '../page.ts'
import { oneOf } from '../schema.ts'
import { guarded } from './formula-guard.ts'

type Cell = string | number | boolean | null | undefined

/** Column of an export: its heading in each language, and what stands in it. Numbers are written with the decimal mark of the language. */
export interface CsvColumn<Row> {
  readonly heading: Readonly<Record<Language, string>>
  readonly value: (row: Row) => Cell
}

export const column = <Row>(en: string, fr: string, ar: string, value: (row: Row) => Cell): CsvColumn<Row> => ({
  heading: { en, fr, ar },
  value,
})

/** Rows in memory at once: what a list gives at once. */
const ROWS_A_PART = 100
/** A caller who takes nothing for so long is gone. */
const PATIENCE_MS = 60_000
const BOM = '\ufeff'
const DECIMAL = /^-?\d+(\.\d+)?$/

const admit = fewAtOnce({ own: 2, all: 16 }, 'Too many exports are being read.')

interface Asked {
  readonly request: Request
  readonly query: Record<string, unknown>
  /** Id of the store or the project: each has two exports at once. */
  readonly ownerId: string
  /** Name of the file, without its ending. */
  readonly name: string
}

/**
 * A whole list as CSV, read page by page as fast as the caller takes it, and no further when they are gone. UTF-8 with its mark, so that
 * spreadsheets see it; `;` and decimal comma in French and Arabic. Cells that a spreadsheet would take for a formula are text. Throws what
 * the list throws, and `unavailable` where as many exports are being read as may be.
 */
export async function exportCsv<Row>(
  { request, query, ownerId, name }: Asked,
  columns: readonly CsvColumn<Row>[],
  read: (query: Record<string, unknown>) => Promise<PageOf<Row>>,
): Promise<Response> {
  const { language: chosen, ...filters } = query
  for (const paging of ['limit', 'cursor'])
    if (paging in filters) throw invalid(`/query/${paging}`, 'An export is the whole list. Leave it out.')
  const language = languageOf(typeof chosen === 'string' ? chosen : null, request.headers.get('accept-language'))
  const end = Promise.withResolvers<void>()
  await new Promise<void>((resolve, reject) => {
    admit(ownerId, () => {
      resolve()
      return end.promise
    }).catch(reject)
  })
  try {
    const first = await read({ ...filters, limit: ROWS_A_PART })
    const body = streamOf(first, (cursor) => read({ ...filters, limit: ROWS_A_PART, cursor }), lines(columns, language), end.resolve)
    return new Response(body, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${name}.csv"`,
        'content-language': language,
        'cache-control': 'private, no-store',
        vary: 'accept-language',
      },
    })
  } catch (error) {
    end.resolve()
    throw error
  }
}

interface Lines<Row> {
  readonly head: string
  of(rows: readonly Row[]): string
}

function streamOf<Row>(first: PageOf<Row>, next: (cursor: string) => Promise<PageOf<Row>>, written: Lines<Row>, end: () => void) {
  const encoder = new TextEncoder()
  let page: PageOf<Row> | null = first
  let isBegun = false
  let late: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(late)
    end()
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        clearTimeout(late)
        try {
          if (page === null) return
          const text: string = (isBegun ? '' : BOM + written.head) + written.of(page.data)
          isBegun = true
          const { nextCursor }: PageOf<Row> = page
          page = nextCursor === null ? null : await next(nextCursor)
          out.enqueue(encoder.encode(text))
          if (page === null) {
            out.close()
            return stop()
          }
          late = setTimeout(() => {
            out.error(new Error('The caller takes nothing any more.'))
            stop()
          }, PATIENCE_MS)
        } catch (error) {
          stop()
          throw error
        }
      },
      cancel: stop,
    },
    { highWaterMark: 1 },
  )
}

function lines<Row>(columns: readonly CsvColumn<Row>[], language: Language): Lines<Row> {
  const isPoint = language === 'en'
  const [separator, quoted] = isPoint ? [',', /[",\r\n]/] : [';', /[";\r\n]/]
  const textOf = (cell: Cell) => {
    if (cell === null || cell === undefined) return ''
    if (typeof cell === 'number') return decimalOf(plain(cell), isPoint)
    return guarded(String(cell))
  }
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => (quoted.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator)}\r\n`
  return {
    head: line(columns.map(({ heading }) => heading[language])),
    of: (rows) => rows.map((row) => line(columns.map(({ value }) => textOf(value(row))))).join(''),
  }
}

/** Never with an exponent. */
const plain = (value: number) => (DECIMAL.test(String(value)) ? String(value) : value.toFixed(4))
const decimalOf = (text: string, isPoint: boolean) => (isPoint ? text : text.replace('.', ','))

const languageQuery = {
  language: T.Optional(
    oneOf(languages, { description: "of headings and numbers; the browser's, unless said. `fr` and `ar` have `;` and a decimal comma" }),
  ),
}

/** Query of an export: the filters, search and sort of its list, without pages. */
export function exportQuery<P extends TProperties>(list: TObject<P>) {
  const { limit: _, cursor: __, ...rest }: TProperties = list.properties
  return T.Object({ ...rest, ...languageQuery }, { additionalProperties: true })
}

/** Description of an answer that is CSV. */
export const csvAnswer = {
  responses: {
    200: { description: 'CSV in UTF-8, with its byte order mark.', content: { 'text/csv': { schema: { type: 'string' as const } } } },
  },
}
