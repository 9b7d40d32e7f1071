import { invalidValue } from '../errors/errors.ts'

/** Query of a page. */
export interface PageInput {
  readonly limit?: number
  readonly cursor?: string
}

/** Page of a list. `nextCursor` is null on the last page. */
export interface PageOf<Row> {
  readonly data: Row[]
  readonly nextCursor: string | null
}

/** Rows of a page unless the request sets a limit. */
export const PAGE_DEFAULT = 20

/** Decodes the key after which a page starts; null for the first page. Throws 400 for an invalid cursor. */
function decodeCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const [version, key] = Buffer.from(cursor, 'base64url').toString('utf8').split(/:(.*)/s)
  if (version !== 'k1' || !key || key.includes('\0')) throw foreignCursor()
  return key
}

/** Builds the error for a cursor that this list did not issue. */
export const foreignCursor = () => invalidValue('/query/cursor', 'This cursor was not given by this list. Start without one.')

/** Builds a page from up to `limit + 1` rows. */
function toPage<Row>(rows: Row[], limit: number, key: (row: Row) => string): PageOf<Row> {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: rows.length > limit && last !== undefined ? Buffer.from(`k1:${key(last)}`).toString('base64url') : null }
}

/** Reads a keyset page. `read` gets the key to start after and the number of rows to fetch. */
export async function readKeysetPage<Row>(
  input: PageInput,
  read: (after: string | null, take: number) => Promise<Row[]>,
  key: (row: Row) => string = (row) => (row as { id: string }).id,
): Promise<PageOf<Row>> {
  const limit = input.limit ?? PAGE_DEFAULT
  return toPage(await read(decodeCursor(input.cursor), limit + 1), limit, key)
}
