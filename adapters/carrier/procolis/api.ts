import { ask, isRow, problemOf, type Row, unreadable } from 'serai/carrier'
import { type Company, host } from './companies.ts'
import type { Context } from './fields.ts'

export interface Account {
  readonly context: Context
  readonly company: Company
}

/** Makes one call and returns its JSON, which may be `null`. */
export async function call({ context, company }: Account, method: 'GET' | 'POST', path: string, json?: unknown): Promise<unknown> {
  const { token, key } = context.credentials
  const answer = await ask(context, company.label, `https://${host}/api_v1/${path}`, {
    method,
    headers: { token, key },
    ...(json !== undefined && { json }),
  })
  if (!answer.ok) throw problemOf(context, company.label, answer, { method })
  if (answer.value === undefined) throw unreadable(company.label, 'no JSON')
  return answer.value
}

/** Sends rows and returns rows; null when the carrier has none of them. */
export async function parcels(account: Account, path: 'add_colis' | 'lire' | 'pret', colis: readonly Row[]): Promise<Row[] | null> {
  const answer = await call(account, 'POST', path, { Colis: colis })
  if (answer === null) return null
  if (!isRow(answer) || !Array.isArray(answer.Colis)) throw unreadable(account.company.label, `no list of parcels at ${path}`)
  return answer.Colis.filter(isRow)
}

/**
 * Reads the parcels that the carrier has. It answers `null` when nothing is found. One unknown number may hide the others, so a list
 * answered with `null` is split and read again.
 */
export async function read(account: Account, trackings: readonly string[]): Promise<Row[]> {
  if (trackings.length === 0) return []
  const found = await parcels(
    account,
    'lire',
    trackings.map((tracking) => ({ Tracking: tracking })),
  )
  if (found !== null || trackings.length === 1) return found ?? []
  const half = trackings.length >> 1
  return [...(await read(account, trackings.slice(0, half))), ...(await read(account, trackings.slice(half)))]
}
