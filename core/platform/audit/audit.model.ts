import { type Static, Type as T } from '@sinclair/typebox'
import { actorKinds } from '../../data/tenant-context.ts'
import { freeForm } from '../../http/body/free-form.ts'
import { defineList, type ListQuery } from '../../http/resource/list.ts'
import { Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'
import { changeNames } from './changes.ts'

/** Days that audit entries are kept. */
export const AUDIT_RETENTION_DAYS = 730

const Values = (description: string) => Nullable(freeForm({ names: 20, nameLength: 60, bytes: 64 * 1024 }), { description })

/** Schema of the administrator who impersonated the user; null if none did. */
const Administrator = Nullable(T.Object({ id: Id, name: Nullable(T.String()) }), {
  description: 'the administrator of the platform who did it in the name of the person',
})

/** Schema of the actor of a change, as the API shows it. */
export const AuditActor = T.Object({
  kind: oneOf(actorKinds, {
    description:
      'a person, an API key, a connected shop, a carrier that reported, the public (somebody without a credential), or the system where nobody asked for it',
  }),
  id: Nullable(Id, { description: 'of the person, the API key or the connection; null for the public and the system' }),
  name: Nullable(T.String(), { description: 'current name of the person, the key or the connection; null if it was deleted' }),
  appId: Nullable(Id, { description: 'the app that acted as the person' }),
  appName: Nullable(T.String(), { description: 'current name of that app' }),
  administrator: Administrator,
})
/** Type of {@link AuditActor}. */
export type AuditActor = Static<typeof AuditActor>

/** Schema of an audit entry, as the API shows it. */
export const AuditEntry = named(
  'AuditEntry',
  T.Object({
    id: Id,
    what: oneOf(changeNames),
    thing: T.String({ description: 'the id of what was changed: an order, a product, a key, a person' }),
    by: AuditActor,
    before: Values('the changed fields before; null if the thing is new'),
    after: Values('the changed fields after; null if the thing was deleted'),
    createdAt: Timestamp,
  }),
)
/** Type of {@link AuditEntry}. */
export type AuditEntry = Static<typeof AuditEntry>

/** List of audit entries, newest first, with filters by change, thing, actor and time. */
export const auditList = defineList({
  sorts: null,
  filters: { what: oneOf(changeNames), thing: Id, by: { ...Id, description: 'the id of a person or an API key' } },
  extraParameters: {
    from: T.Optional({ ...Timestamp, description: 'not before this moment' }),
    to: T.Optional({ ...Timestamp, description: 'before this moment' }),
  },
})
/** Query of {@link auditList}. */
export type AuditQuery = ListQuery<typeof auditList.filters>
