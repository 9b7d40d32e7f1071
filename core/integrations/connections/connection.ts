import type { AnyMounted, Mounted } from '../../../plugins/host/registry.ts'
import { type KindName, kinds } from '../../../plugins/kinds.ts'
import type { Context } from '../../context.ts'
import { ApiError, type ErrorCode } from '../../http/errors/errors.ts'
import { type ConnectionRow, findConnection } from './connections.queries.ts'

/** A connected adapter with its secrets opened, for the length of a call. */
export interface Connection<M extends AnyMounted = AnyMounted> {
  readonly row: ConnectionRow
  readonly mounted: M
  readonly credentials: Readonly<Record<string, unknown>>
}
export type CarrierConnection = Connection<Mounted<'carrier'>>
export type PaymentConnection = Connection<Mounted<'payment'>>
export type ConnectorConnection = Connection<Mounted<'connector'>>

export const USUAL_CODES = { refused: 'adapter_refused', failed: 'upstream_error', off: 'adapter_not_enabled' } as const

/** Throws the kind's "not enabled" where the adapter is not there, or is of another kind by now. */
export function openConnection<Name extends KindName>(
  { vault, plugins }: Context,
  kind: Name,
  row: ConnectionRow,
): Connection<Mounted<Name>> {
  const mounted = plugins.find(kind, row.key)
  if (!mounted) throw notEnabled(kind, gone(row))
  return { row, mounted, credentials: credentialsOf({ vault }, row) }
}

/** The same, of whatever kind the adapter is. */
export function openAnyConnection({ vault, plugins }: Context, row: ConnectionRow): Connection {
  const mounted = plugins.named(row.key)
  if (!mounted) throw new ApiError(codesOf(row.kind).off, gone(row))
  return { row, mounted, credentials: credentialsOf({ vault }, row) }
}

const gone = ({ key }: ConnectionRow) => `The adapter ${key} is not there now. See GET /v1/adapters.`
export const credentialsOf = ({ vault }: Pick<Context, 'vault'>, row: ConnectionRow) =>
  JSON.parse(vault.open(row.credentials, row.id)) as Record<string, unknown>

export async function connectionById<Name extends KindName>(context: Context, kind: Name, id: string): Promise<Connection<Mounted<Name>>> {
  const row = await findConnection(context.sql, id)
  if (!row?.enabled) throw notEnabled(kind, 'The account is gone or switched off.')
  return openConnection(context, kind, row)
}

/** The same for work in the background: null where the account is gone or off, or its adapter is not there, and nothing is to be done. */
export const connectionIfOn = <Name extends KindName>(
  context: Context,
  kind: Name,
  id: string,
): Promise<Connection<Mounted<Name>> | null> =>
  connectionById(context, kind, id).catch((error: unknown) => {
    if (error instanceof ApiError) return null
    throw error
  })

export const notEnabled = (kind: KindName, message: string) => new ApiError(codesOf(kind).off, message)

interface Codes {
  readonly refused: ErrorCode
  readonly failed: ErrorCode
  readonly off: ErrorCode
}
export const codesOf = (name: string): Codes => {
  const kind: { readonly codes?: Codes } | undefined = kinds.find((one) => one.name === name)
  return kind?.codes ?? USUAL_CODES
}
