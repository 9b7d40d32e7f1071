import type { AnyMountedAdapter, MountedAdapter } from '../../../plugins/host/registry.ts'
import { type KindName, kinds } from '../../../plugins/kinds.ts'
import type { Context } from '../../context.ts'
import type { ErrorCode } from '../../lib/errors/codes.ts'
import { DomainError, relayError } from '../../lib/errors/domain-error.ts'
import { notEnabledSentences } from './connections.errors.ts'
import type { ConnectionRef } from './connections.model.ts'
import { type ConnectionRow, findConnection, findConnectionById } from './connections.queries.ts'

/** Connected adapter with its secrets unsealed, for the duration of a call. */
export interface Connection<M extends AnyMountedAdapter = AnyMountedAdapter> {
  readonly row: ConnectionRow
  readonly mounted: M
  readonly credentials: Readonly<Record<string, unknown>>
}
/** Connection to a carrier. */
export type CarrierConnection = Connection<MountedAdapter<'carrier'>>
/** Connection to a payment gateway. */
export type PaymentConnection = Connection<MountedAdapter<'payment'>>
/** Connection to a connector. */
export type ConnectorConnection = Connection<MountedAdapter<'connector'>>

/** Error codes of kinds that declare none of their own. */
export const DEFAULT_ERROR_CODES = { refused: 'adapter_refused', failed: 'upstream_error', off: 'adapter_not_enabled' } as const

/** Opens a connection as one of the given kind. Throws the kind's "not enabled" error if the adapter is missing or now has another kind. */
export function openConnection<Name extends KindName>(
  { vault, plugins }: Context,
  kind: Name,
  row: ConnectionRow,
): Connection<MountedAdapter<Name>> {
  const mounted = plugins.find(kind, row.key)
  if (!mounted) throw notEnabledError(kind, notEnabledSentences.notInstalled(row.key))
  return { row, mounted, credentials: unsealCredentials({ vault }, row) }
}

/** Opens a connection of any kind. Throws the kind's "not enabled" error if the adapter is missing. */
export function openAnyConnection({ vault, plugins }: Context, row: ConnectionRow): Connection {
  const mounted = plugins.named(row.key)
  if (!mounted) throw notEnabledError(row.kind, notEnabledSentences.notInstalled(row.key))
  return { row, mounted, credentials: unsealCredentials({ vault }, row) }
}

/** Unseals the credentials of a connection. */
export const unsealCredentials = ({ vault }: Pick<Context, 'vault'>, row: ConnectionRow) =>
  JSON.parse(vault.open(row.credentials, row.id)) as Record<string, unknown>

/** Names a connection, by its id alone where nothing else is known: in a job, or where a store's and the platform's may be meant. */
export type NamedConnection = ConnectionRef | string

/** Opens a connection that is named. Throws the kind's "not enabled" error if it is missing, disabled or without its adapter. */
export async function openNamedConnection<Name extends KindName>(
  context: Context,
  kind: Name,
  named: NamedConnection,
): Promise<Connection<MountedAdapter<Name>>> {
  const row = await (typeof named === 'string' ? findConnectionById(context.sql, named) : findConnection(context.sql, named))
  if (!row?.enabled) throw notEnabledError(kind, notEnabledSentences.gone)
  return openConnection(context, kind, row)
}

/** Opens a connection that is named, for a background job. Returns null if it is missing, disabled or without its adapter. */
export const findEnabledConnection = <Name extends KindName>(
  context: Context,
  kind: Name,
  named: NamedConnection,
): Promise<Connection<MountedAdapter<Name>> | null> =>
  openNamedConnection(context, kind, named).catch((error: unknown) => {
    if (error instanceof DomainError) return null
    throw error
  })

/** Builds the "not enabled" error of a kind. Its sentence is one of `notEnabledSentences`, or of the caller's table of errors. */
export const notEnabledError = (kind: string, sentence: string) => relayError(errorCodesOf(kind).off, sentence)

interface Codes {
  readonly refused: ErrorCode
  readonly failed: ErrorCode
  readonly off: ErrorCode
}
/** Returns the error codes of a kind. */
const errorCodesOf = (name: string): Codes => {
  const kind: { readonly codes?: Codes } | undefined = kinds.find((one) => one.name === name)
  return kind?.codes ?? DEFAULT_ERROR_CODES
}
