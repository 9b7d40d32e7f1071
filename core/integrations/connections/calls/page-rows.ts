import { foreignCursor, PAGE_DEFAULT, type PageInput, type PageOf } from '../../../http/resource/page.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'

const DIGEST_CHARS = 16
const CURSOR = /^r1:(\d{1,7}):([0-9a-f]+)$/

/**
 * Returns a page of a list that a carrier returns whole. Continues after the last row of the previous page, wherever it now stands, or at
 * its old position if it is gone.
 */
export function pageRows<Row>(rows: readonly Row[], { limit = PAGE_DEFAULT, cursor }: PageInput): PageOf<Row> {
  const from = cursor === undefined ? 0 : indexAfter(rows, cursor)
  const end = from + limit
  const data = rows.slice(from, end)
  return { data, nextCursor: end < rows.length ? Buffer.from(`r1:${end - 1}:${digestOf(rows[end - 1])}`).toString('base64url') : null }
}

function indexAfter(rows: readonly unknown[], cursor: string): number {
  const [, place, digest] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? []
  if (!place || !digest) throw foreignCursor()
  const at = Number(place)
  if (at < rows.length && digestOf(rows[at]) === digest) return at + 1
  const moved = rows.findIndex((row) => digestOf(row) === digest)
  return (moved < 0 ? at - 1 : moved) + 1
}

const digestOf = (row: unknown) => sha256(JSON.stringify(row)).slice(0, DIGEST_CHARS)
