import { filledBy } from '../../../plugins/adapter.ts'
import { type Fields, maskSecrets, withDefaults } from '../../../plugins/fields.ts'
import type { AnyMountedAdapter } from '../../../plugins/host/registry.ts'
import type { Context } from '../../context.ts'
import type { Integration, PlatformIntegration } from './connections.model.ts'
import type { ConnectionRow } from './connections.queries.ts'

/** Returns the API view of a store's connection. */
export const presentIntegration = (context: Context, row: ConnectionRow): Integration => ({
  ...presentPlatformIntegration(context, row),
  storeId: row.storeId,
})

/** Returns the API view of a connection. Masks all credentials if the adapter is not installed. */
export function presentPlatformIntegration(context: Context, row: ConnectionRow): PlatformIntegration {
  const adapter = context.plugins.named(row.key)?.adapter
  const credentials = JSON.parse(context.vault.open(row.credentials, row.id)) as Record<string, unknown>
  const { id, key, kind, name, enabled, status, statusMessage, attention, attentionSince, lastSuccessAt, createdAt, updatedAt } = row
  return {
    id,
    key,
    kind,
    name,
    enabled,
    state: stateOf(row),
    status,
    statusMessage,
    attention,
    attentionSince,
    lastSuccessAt,
    createdAt,
    updatedAt,
    credentials: maskSecrets(adapter?.credentials ?? {}, credentials),
    settings: adapter ? withoutUndefined(withDefaults(adapter.settings, row.settings)) : row.settings,
  }
}

function stateOf({ enabled, attention, status }: ConnectionRow): Integration['state'] {
  if (!enabled) return 'disabled'
  return attention === null ? status : 'needs_attention'
}

const withoutUndefined = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** Returns the credential fields that a user enters, without those that a sign-in fills. */
export function enteredCredentialFields({ adapter }: AnyMountedAdapter): Fields {
  const filled = filledBy(adapter.oauth)
  return Object.fromEntries(Object.entries(adapter.credentials).filter(([name]) => !filled.includes(name)))
}

/** Returns the API view of fields, in their order. */
export function describeFields(fields: Fields) {
  return Object.entries(fields).map(
    ([name, { label, type = 'text', secret = false, optional = false, default: value, options, help }]) => ({
      name,
      label,
      type,
      secret,
      required: !optional && value === undefined,
      default: value ?? null,
      options: options ? [...options] : null,
      help: help ?? null,
    }),
  )
}
