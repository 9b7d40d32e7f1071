import type { Queryable } from '../../../data/sql.ts'
import { foreignCursor, type PageInput, type PageOf, readKeysetPage } from '../../../http/resource/page.ts'
import { presentScanned } from '../scans/judge-scan.ts'
import type { ExpectedReturn } from './returns.model.ts'
import { listExpectedReturns } from './returns.queries.ts'

const EXACT_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?\+00$/

/** Reads a page of the parcels that their carrier calls returned and that the store has not seen, oldest return first. */
export async function listExpected(
  sql: Queryable,
  projectId: string,
  { from = null, ...page }: PageInput & { readonly from?: string | null },
): Promise<PageOf<ExpectedReturn>> {
  const found = await readKeysetPage(
    page,
    (after, take) => listExpectedReturns(sql, projectId, { from, after: after === null ? null : placeOf(after) }, take),
    ({ sortValue, id }) => `${sortValue}|${id}`,
  )
  return { ...found, data: found.data.map((parcel) => ({ ...presentScanned(parcel), returnedAt: parcel.returnedAt })) }
}

/** Place after which a page starts. Throws 400 for a key that this list did not give. */
function placeOf(key: string) {
  const [at = '', id] = key.split('|')
  if (!EXACT_TIME.test(at) || id === undefined) throw foreignCursor()
  return { at, id }
}
