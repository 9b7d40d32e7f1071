import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'

const Values = T.Record(T.String(), T.Unknown())
export const Proposal = named(
  'ChatProposal',
  T.Object({
    id: Id,
    storeId: Id,
    tool: T.String(),
    thing: T.String({ description: 'the id of what would be changed' }),
    before: { ...Values, description: 'as it was when this was proposed' },
    after: { ...Values, description: 'as it would be' },
    state: oneOf(['open', 'confirmed', 'rejected']),
    createdAt: Timestamp,
    decidedAt: Nullable(Timestamp),
  }),
)
export type Proposal = Static<typeof Proposal>
