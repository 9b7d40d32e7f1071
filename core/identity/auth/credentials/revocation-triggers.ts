import type { Trigger, TriggerEvent } from '../../../data/triggers.ts'

const WHY = `Every process remembers credentials for a while. A change of what they rest on must reach all of them, whichever statement made it,
  so the database itself notes it in \`revocations\`.`

const revoking = (table: string, name: string, ...on: TriggerEvent[]): Trigger => ({
  table,
  name,
  on,
  function: 'forget_remembered',
  why: WHY,
})

/** Triggers that note in `revocations` which remembered credentials no longer hold. */
export const revocationTriggers: readonly Trigger[] = [
  revoking('api_keys', 'forget_changed', 'update', 'delete'),
  revoking('apps', 'forget_changed', 'update', 'delete'),
  revoking('oauth_access_tokens', 'forget_changed', 'update'),
  revoking('oauth_access_tokens', 'forget_deleted', 'delete'),
  revoking('oauth_grants', 'forget_changed', 'update'),
  revoking('oauth_grants', 'forget_deleted', 'delete'),
  revoking('projects', 'forget_changed', 'update', 'delete'),
  revoking('session_tokens', 'forget_changed', 'update'),
  revoking('session_tokens', 'forget_deleted', 'delete'),
  revoking('store_members', 'forget_changed', 'update', 'delete'),
  revoking('stores', 'forget_changed', 'update', 'delete'),
  revoking('tenant_members', 'forget_changed', 'update', 'delete'),
  revoking('tenants', 'forget_changed', 'update'),
  revoking('tenants', 'forget_owner', 'update'),
  revoking('users', 'forget_changed', 'update'),
]
