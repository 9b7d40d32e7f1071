import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'

const Values = T.Record(T.String(), T.Unknown())
export const Proposal = named(
  'ChatProposal',
  T.Object(
    {
      id: Id,
      storeId: Id,
      tool: T.String(),
      thing: T.String({ description: 'the id of what would be changed, or of the MCP server that would be asked' }),
      before: { ...Values, description: 'as it was when this was proposed' },
      after: { ...Values, description: 'as it would be; of the tool of an MCP server, what it would be called with' },
      state: oneOf(['open', 'confirmed', 'rejected']),
      createdAt: Timestamp,
      decidedAt: Nullable(Timestamp),
      result: Nullable(T.String(), { description: 'what the MCP server answered whose tool was called' }),
      failed: Nullable(T.Boolean({ description: 'whether that was a failure' })),
    },
    { description: 'Kept for 30 days after it was decided, or else made.' },
  ),
)
export type Proposal = Static<typeof Proposal>
