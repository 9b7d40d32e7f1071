import { type Answer, ask, CarrierError, isRow, problemOf, type Row, text, unreadable, wordsIn, yes } from 'serai/carrier'
import type { Context } from './fields.ts'

export const LABEL = 'NOEST'
export const STORAGE = '*.amazonaws.com'
export const HOST = 'app.noest-dz.com'

/** Maximum parcels per call. */
export const BULK_MAX = 100
const TIMEOUT_MS = 30_000

const address = (path: string) => `https://${HOST}/api/public/${path}`
/** Returns the authorization header. */
const bearer = ({ credentials }: Context) => ({ authorization: `Bearer ${credentials.apiToken}` })

/** Makes one GET call and returns its JSON. */
export async function get(context: Context, path: string): Promise<unknown> {
  const answer = await ask(context, LABEL, address(path), { headers: bearer(context), timeoutMs: TIMEOUT_MS })
  if (!answer.ok) throw problemOf(context, LABEL, answer)
  if (answer.value === undefined) throw unreadable(LABEL, 'no JSON')
  return answer.value
}

/** Fetches a file. The redirect leads to a storage host, and egress drops the token on it. */
export const file = (context: Context, path: string, query: Readonly<Record<string, string>>): Promise<Answer> =>
  ask(context, LABEL, address(path), { query, headers: { ...bearer(context), accept: 'application/pdf, */*' }, followRedirects: true })

/** Makes a POST call. The user's GUID is part of every body. */
export const post = (context: Context, path: string, body: Row, timeoutMs = TIMEOUT_MS): Promise<Answer> =>
  ask(context, LABEL, address(path), {
    method: 'POST',
    headers: bearer(context),
    json: { user_guid: context.credentials.userGuid, ...body },
    timeoutMs,
  })

/** Makes a write about an existing parcel. */
export async function write(context: Context, path: string, body: Row, timeoutMs?: number): Promise<Row> {
  return expectSuccess(bodyOf(context, await post(context, path, body, timeoutMs)))
}

/** Makes a write that creates parcels: its outcome after a 404 is unknown. */
export const create = async (context: Context, path: string, body: Row): Promise<Row> =>
  bodyOf(context, await post(context, path, body), 'POST')

export function bodyOf(context: Context, answer: Answer, method: 'GET' | 'POST' = 'GET'): Row {
  if (!answer.ok) throw isAboutGuid(problemOf(context, LABEL, answer, { method }))
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  return answer.value
}

/** Returns true for a wrong GUID, which the carrier reports like an error of the parcel. */
const isAboutGuid = (problem: CarrierError) =>
  problem.reason === 'refused' && /user.?guid/i.test(problem.message)
    ? new CarrierError('unauthorized', `${LABEL} does not accept this user GUID.`, problem.upstream)
    : problem

/** Returns the body of a success; throws for a refusal, which may come with status 200 (duplicate, desk, postal code). */
export function expectSuccess(row: Row): Row {
  if (yes(row.success)) return row
  if (row.success === undefined) throw unreadable(LABEL, 'nothing on success')
  throw refusalOf(row)
}

export function refusalOf(row: Row): CarrierError {
  const said = wordsIn(row)
  const code = text(row.error) ?? text(row.code) ?? 'refused'
  return new CarrierError('refused', `${LABEL} refused: ${said ?? 'it gave no reason'}`, { code, ...(said && { message: said }) })
}
