import type { AdapterContext, InboundRequest, WebhookResult } from '../../../plugins/adapter.ts'
import { fit } from '../../../plugins/fit.ts'
import type { Member } from '../../../plugins/member.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { callAdapter } from '../connections/calls/call-adapter.ts'
import type { Connection } from '../connections/connection.ts'
import { AdapterFailure } from '../egress/adapter-failure.ts'
import type { ProvenWebhook } from './webhook-handlers.ts'

/** Longest duration of reading a webhook, in milliseconds. Some adapters ask the platform whether it sent it. */
const CALL_MS = 10_000

/** Callbacks of an adapter of any kind, as far as the intake knows them. */
interface AnyWebhook {
  readonly unsigned?: string
  readonly challenges?: true
  receive(request: InboundRequest, context: AdapterContext): unknown
}

type Result = WebhookResult | ProvenWebhook

/**
 * Asks the adapter what a callback is, in one call. Events are `signed` only if the adapter says so and does not declare itself `unsigned`.
 * A proven
 * callback of a shop whose events are malformed is `unread`. Throws `AdapterFailure`, also for any other malformed result.
 */
export async function askAdapter(context: Context, connection: Connection, request: InboundRequest): Promise<Result> {
  const { webhook } = connection.mounted.adapter as { webhook?: AnyWebhook }
  const member: Member | undefined = connection.mounted.kind.members['webhook.receive']
  if (!webhook || !member) throw notFound('A webhook of this adapter')
  const receive = async (own: AdapterContext): Promise<Result> => {
    const answer = await webhook.receive(request, own)
    const fitted = await fit(member.output, answer)
    const result = 'problem' in fitted ? member.fallback?.(answer) : answer
    if ('problem' in fitted && result === undefined) throw malformed(fitted.problem)
    assertConsistent(connection, webhook, member, result)
    return result as Result
  }
  const options = { operation: 'webhook', deadlineMs: CALL_MS }
  const result = await callAdapter(context, connection, (_, own) => receive(own), options)
  return 'signed' in result && webhook.unsigned !== undefined ? { ...result, signed: false } : result
}

/** Throws for a result whose parts do not belong together, which no schema expresses. */
function assertConsistent({ mounted }: Connection, webhook: AnyWebhook, { problem }: Member, result: unknown): void {
  const { outcome } = Object(result) as Partial<Result>
  const { adapter } = mounted
  const undeclared =
    (outcome === 'challenge' && !webhook.challenges && 'it answers challenges without declaring it') ||
    (outcome === 'tokens' && !adapter.oauth && 'it delivers tokens without declaring oauth')
  const wrong = undeclared || problem?.(Object(result), adapter)
  if (wrong) throw malformed(wrong)
}

const malformed = (problem: string) =>
  new AdapterFailure('unavailable', `The adapter answered in a wrong shape (${problem}).`, { wasSent: true })
