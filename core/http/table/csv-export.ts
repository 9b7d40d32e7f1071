import { Type as T, type TObject, type TProperties } from '@sinclair/typebox'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import { limitConcurrency } from '../concurrency.ts'
import { invalidValue } from '../errors/errors.ts'
import { type Language, languageOf, languages } from '../pages/language.ts'
import type { PageOf } from '../resource/page.ts'
import { oneOf } from '../schema.ts'
import { type Cell, cellWriter } from './csv-cells.ts'

/** Labels of a code in the languages other than English, whose label is the code itself. */
export type CodeLabel = readonly [fr: string, ar: string]

/** Column of an export: its heading in each language, and its value. Numbers use the decimal mark of the language. */
export interface CsvColumn<Row> {
  readonly heading: Readonly<Record<Language, string>>
  readonly value: (row: Row) => Cell
  /** Labels of the codes that the column holds. Other values stay as they are. */
  readonly labels?: Readonly<Record<string, CodeLabel>>
}

/** Defines a column of an export. */
export const csvColumn = <Row>(en: string, fr: string, ar: string, value: (row: Row) => Cell): CsvColumn<Row> => ({
  heading: { en, fr, ar },
  value,
})

/** Defines a column of an export that holds codes, such as a status. They are written in the language of the export. */
export const codeColumn = <Row, Code extends string>(
  heading: readonly [en: string, fr: string, ar: string],
  labels: Readonly<Record<Code, CodeLabel>>,
  value: (row: Row) => Code | null | undefined,
): CsvColumn<Row> => ({ ...csvColumn(...heading, value), labels })

/** Rows of one page. Pages of long rows end earlier. */
const ROWS_A_PART = 200
/** Milliseconds after which a client that reads nothing is taken for gone. */
const IDLE_MS = 60_000
const BOM = '\ufeff'

const admit = limitConcurrency({ own: 2, all: 16 }, 'Too many exports are being read.')

interface Asked {
  readonly request: Request
  readonly query: Record<string, unknown>
  /** Id of the store or the project. Each may run two exports at once. */
  readonly ownerId: string
  /** File name without its extension. */
  readonly name: string
}

/**
 * Exports a whole list as CSV. Pages are read as fast as the client receives them, and reading stops when it disconnects. Encoded in UTF-8
 * with a byte order mark for spreadsheets. French and Arabic use `;` and a decimal comma. Cells that look like formulas are escaped. Throws
 * the errors of the list, and `unavailable` if too many exports are running.
 */
export async function exportCsv<Row>(
  { request, query, ownerId, name }: Asked,
  columns: readonly CsvColumn<Row>[],
  read: (query: Record<string, unknown>) => Promise<PageOf<Row>>,
): Promise<Response> {
  const { language: chosen, values, ...filters } = query
  for (const paging of ['limit', 'cursor'])
    if (paging in filters) throw invalidValue(`/query/${paging}`, 'An export is the whole list. Leave it out.')
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
    const next = (cursor: string) => read({ ...filters, limit: ROWS_A_PART, cursor })
    const body = streamOf(
      first,
      next,
      csvWriter(columns, language, { hasLabels: values !== 'codes' }, yieldEvery(undefined, request.signal)),
      end.resolve,
    )
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

interface CsvWriter<Row> {
  readonly head: string
  of(rows: readonly Row[]): Promise<string>
}

/** Streams pages as text. The next page is read while one is written, and no more than that until the caller has taken it. */
function streamOf<Row>(first: PageOf<Row>, next: (cursor: string) => Promise<PageOf<Row>>, writer: CsvWriter<Row>, end: () => void) {
  const encoder = new TextEncoder()
  let coming: Promise<PageOf<Row>> | null = Promise.resolve(first)
  let isBegun = false
  let isOver = false
  let late: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    isOver = true
    clearTimeout(late)
    end()
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        clearTimeout(late)
        try {
          if (coming === null) return
          const page = await coming
          if (isOver) return
          coming = page.nextCursor === null ? null : next(page.nextCursor)
          // A failure is thrown where the page is awaited.
          coming?.catch(() => {})
          const text = (isBegun ? '' : BOM + writer.head) + (await writer.of(page.data))
          isBegun = true
          if (isOver) return
          out.enqueue(encoder.encode(text))
          if (coming === null) {
            out.close()
            return stop()
          }
          late = setTimeout(() => {
            out.error(new Error('The client stopped reading.'))
            stop()
          }, IDLE_MS)
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

function csvWriter<Row>(
  columns: readonly CsvColumn<Row>[],
  language: Language,
  { hasLabels }: { readonly hasLabels: boolean },
  pause: () => Promise<void> | undefined,
): CsvWriter<Row> {
  const isPoint = language === 'en'
  const separator = isPoint ? ',' : ';'
  const write = cellWriter(separator, isPoint ? '.' : ',')
  const readers = columns.map((column) => (hasLabels && language !== 'en' ? labelledValue(column, language) : column.value))
  return {
    head: `${columns.map(({ heading }) => write(heading[language])).join(separator)}\r\n`,
    async of(rows) {
      let text = ''
      for (const row of rows) {
        for (let at = 0; at < readers.length; at += 1) text += (at === 0 ? '' : separator) + write(readers[at]?.(row))
        text += '\r\n'
        await pause()
      }
      return text
    },
  }
}

/** Returns the reader of a column's values with the labels of a language. */
function labelledValue<Row>({ value, labels }: CsvColumn<Row>, language: 'fr' | 'ar'): (row: Row) => Cell {
  if (!labels) return value
  const at = language === 'fr' ? 0 : 1
  return (row) => {
    const code = value(row)
    return typeof code === 'string' && Object.hasOwn(labels, code) ? labels[code]?.[at] : code
  }
}

const languageQuery = {
  language: T.Optional(
    oneOf(languages, {
      description: "of headings, numbers and values; the browser's by default. `fr` and `ar` have `;` and a decimal comma",
    }),
  ),
  values: T.Optional(
    oneOf(['labels', 'codes'], {
      default: 'labels',
      description: 'how coded values are written; in English, labels and codes are the same',
    }),
  ),
}

/** Builds the query schema of an export: the filters, search and sort of its list, without paging. */
export function exportQuery<P extends TProperties>(list: TObject<P>) {
  const { limit: _, cursor: __, ...rest }: TProperties = list.properties
  return T.Object({ ...rest, ...languageQuery }, { additionalProperties: true })
}

/** OpenAPI description of a CSV response. */
export const csvResponse = {
  responses: {
    200: { description: 'CSV in UTF-8, with its byte order mark.', content: { 'text/csv': { schema: { type: 'string' as const } } } },
  },
}
