import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'

const Values = T.Record(T.String(), T.Unknown())
/** Change or call that the assistant proposes and a user decides. */
export const Proposal = named(
  'ChatProposal',
  T.Object(
    {
      id: Id,
      storeId: Id,
      tool: T.String(),
      thing: T.String({ description: 'id of the object that would change, or of the MCP server that would be called' }),
      before: { ...Values, description: 'its fields when this was proposed' },
      after: { ...Values, description: 'its fields after the change; for the tool of an MCP server, the call' },
      state: oneOf(['open', 'confirmed', 'rejected']),
      createdAt: Timestamp,
      decidedAt: Nullable(Timestamp),
      result: Nullable(T.String(), { description: 'answer of the MCP server whose tool was called' }),
      failed: Nullable(T.Boolean({ description: 'true when that call failed' })),
    },
    { description: 'Deleted 30 days after its decision, or after its creation when nobody decided.' },
  ),
)
/** Type of {@link Proposal}. */
export type Proposal = Static<typeof Proposal>
