import { type Static, Type as T } from '@sinclair/typebox'
import { actorKinds } from '../../data/tenant-context.ts'
import { freeForm } from '../../http/body/free-form.ts'
import { type Asked, listing } from '../../http/resource/list.ts'
import { Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'
import { changeNames } from './changes.ts'

export const KEPT_DAYS = 730

const Values = (description: string) => Nullable(freeForm({ names: 20, nameLength: 60, bytes: 64 * 1024 }), { description })

export const Administrator = Nullable(T.Object({ id: Id, name: Nullable(T.String()) }), {
  description: 'the administrator of the platform who did it in the name of the person',
})

export const ActorShown = T.Object({
  kind: oneOf(actorKinds, {
    description:
      'a person, an API key, a connected shop, a carrier that reported, the public (somebody without a credential), or the system where nobody asked for it',
  }),
  id: Nullable(Id, { description: 'of the person, the API key or the connection; null for the public and the system' }),
  name: Nullable(T.String(), { description: 'as the person, the key or the connection is called now; null where it is gone' }),
  appId: Nullable(Id, { description: 'the app that acted as the person' }),
  appName: Nullable(T.String(), { description: 'as that app is called now' }),
  administrator: Administrator,
})
export type ActorShown = Static<typeof ActorShown>

export const AuditEntry = named(
  'AuditEntry',
  T.Object({
    id: Id,
    what: oneOf(changeNames),
    thing: T.String({ description: 'the id of what was changed: an order, a product, a key, a person' }),
    by: ActorShown,
    before: Values('what changed, as it was; null of what was not there'),
    after: Values('what changed, as it is since; null of what is not there any more'),
    createdAt: Timestamp,
  }),
)
export type AuditEntry = Static<typeof AuditEntry>

export const auditList = listing({
  sorts: null,
  filters: { what: oneOf(changeNames), thing: Id, by: { ...Id, description: 'the id of a person or an API key' } },
  beside: {
    from: T.Optional({ ...Timestamp, description: 'not before this moment' }),
    to: T.Optional({ ...Timestamp, description: 'before this moment' }),
  },
})
export type AskedEntries = Asked<typeof auditList.filters>
