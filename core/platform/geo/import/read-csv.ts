import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { ImportError, type PlaceLine } from './place-line.ts'
import { columns, type PlaceColumns } from './place-row.ts'

const RECORD_BYTES_MAX = 64 * 1024

/** Reads the rows of a CSV file one by one: comma or semicolon, UTF-8, with a header. Throws `ImportError`. */
export async function* readPlacesCsv(path: string): AsyncGenerator<PlaceLine> {
  const separator = await separatorOf(path)
  const records = parse({
    bom: true,
    delimiter: separator,
    columns: (header: string[]) => checkedHeader(header.map((name) => name.trim().toLowerCase())),
    info: true,
    max_record_size: RECORD_BYTES_MAX,
    skip_empty_lines: true,
  })
  const source = Readable.fromWeb(Bun.file(path).stream() as never)
  source.on('error', (error) => records.destroy(error))
  source.pipe(records)
  try {
    for await (const { record, info } of records) yield { line: info.lines, written: record as PlaceColumns }
  } catch (error) {
    throw error instanceof ImportError ? error : new ImportError(`${path}: ${(error as Error).message}`)
  } finally {
    source.destroy()
  }
}

/** Detects the separator: the one that is more frequent in the header. */
async function separatorOf(path: string): Promise<string> {
  const [header = ''] = (await Bun.file(path).slice(0, RECORD_BYTES_MAX).text()).split('\n')
  return header.split(';').length > header.split(',').length ? ';' : ','
}

function checkedHeader(header: string[]): string[] {
  const known: readonly string[] = columns
  const stray = header.find((name) => !known.includes(name))
  if (stray !== undefined)
    throw new ImportError(`line 1: there is no column "${stray.slice(0, 40)}". Those there are: ${columns.join(', ')}.`)
  if (!header.includes('state_code')) throw new ImportError('line 1: the column state_code is missing.')
  return header
}
