import { type Static, Type as T } from '@sinclair/typebox'
import { WAITING_MAX } from '../../data/waiting.ts'
import { ENUM_MEANINGS } from '../../http/openapi/meanings.ts'
import { Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'
import { attentionGroups, listAttentionSources } from './attention-source.ts'

/** Reasons for which a kind could not be counted. */
const attentionProblems = ['slow', 'failed'] as const

const OldestId = Nullable(Id)

/** Builds the schema of a kind, with the meaning that each source declares. */
function kindSchema() {
  const sources = listAttentionSources()
  const meanings = Object.fromEntries(sources.map(({ kind, meaning }) => [kind, meaning]))
  return T.String({ enum: sources.map(({ kind }) => kind), [ENUM_MEANINGS]: meanings })
}

/** Builds the schema of a kind of thing that waits. The kinds are those of all features. */
export const attentionRow = () =>
  named(
    'Attention',
    T.Object({
      kind: kindSchema(),
      group: oneOf(attentionGroups),
      count: Nullable(T.Integer({ minimum: 1, maximum: WAITING_MAX }), { description: 'null where it could not be counted' }),
      isMore: T.Boolean({ description: `more wait than the ${WAITING_MAX} that are counted` }),
      oldestAt: Nullable(Timestamp, { description: 'since when the oldest of those counted waits' }),
      oldest: Nullable(
        T.Object({ orderId: OldestId, parcelId: OldestId, connectionId: OldestId, paymentId: OldestId, payoutId: OldestId }),
        { description: 'ids of the oldest of those counted, as far as its kind has them' },
      ),
      problem: Nullable(oneOf(attentionProblems), { description: 'why it could not be counted; the other kinds are complete' }),
    }),
  )
/** Kind of thing that waits, with its count. */
export type AttentionRow = Static<ReturnType<typeof attentionRow>>
