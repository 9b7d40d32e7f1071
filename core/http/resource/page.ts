import { invalid } from '../errors/errors.ts'

export interface PageInput {
  readonly limit?: number
  readonly cursor?: string
}

export interface PageOf<Row> {
  readonly data: Row[]
  readonly nextCursor: string | null
}

export const PAGE_DEFAULT = 20

/** Where a page begins: after this key. Null at the start. */
function decodeCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const [version, key] = Buffer.from(cursor, 'base64url').toString('utf8').split(/:(.*)/s)
  if (version !== 'k1' || !key || key.includes('\0')) throw notOurs()
  return key
}

export const notOurs = () => invalid('/query/cursor', 'This cursor was not given by this list. Start without one.')

/** Takes `limit + 1` rows, gives `limit` and where to go on. */
function toPage<Row>(rows: Row[], limit: number, key: (row: Row) => string): PageOf<Row> {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: rows.length > limit && last !== undefined ? Buffer.from(`k1:${key(last)}`).toString('base64url') : null }
}

/** Reads a keyset page: `read` gets the key to start after and how many rows to fetch. */
export async function page<Row>(
  input: PageInput,
  read: (after: string | null, take: number) => Promise<Row[]>,
  key: (row: Row) => string = (row) => (row as { id: string }).id,
): Promise<PageOf<Row>> {
  const limit = input.limit ?? PAGE_DEFAULT
  return toPage(await read(decodeCursor(input.cursor), limit + 1), limit, key)
}
