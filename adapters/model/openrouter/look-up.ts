import { ask, costIn, isRow, type LookedUp, present, problemOf, text, unreadable } from 'serai/model'
import { type Context, label, serverOf } from './fields.ts'

const whole = (value: unknown) => (Number.isInteger(value) && Number(value) >= 0 ? Number(value) : undefined)

/**
 * Looks up a generation, available a second or two after its end. Returns null for an unknown one. Billing uses the provider's own token
 * counts.
 */
export async function lookUp(context: Context, generation: string): Promise<LookedUp> {
  const { root, headers } = serverOf(context)
  const answer = await ask(context, label, `${root}/generation`, { headers, query: { id: generation } })
  if (answer.status === 404) return null
  if (!answer.ok) throw problemOf(context, label, answer)
  const said = isRow(answer.value) ? answer.value.data : undefined
  if (!isRow(said)) throw unreadable(label, 'no generation')
  const usage = present({
    inputTokens: whole(said.native_tokens_prompt),
    cachedInputTokens: whole(said.native_tokens_cached),
    outputTokens: whole(said.native_tokens_completion),
    reasoningTokens: whole(said.native_tokens_reasoning),
    cost: costIn(said.total_cost),
  })
  return { done: text(said.finish_reason) !== undefined || said.cancelled === true, usage }
}
