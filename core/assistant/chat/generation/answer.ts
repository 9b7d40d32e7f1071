import type { Message, Part } from '../../../../plugins/model/model.ts'
import type { Context } from '../../../context.ts'
import { accessStore } from '../../../shop/stores/access.ts'
import type { Usable } from '../../models/models.model.ts'
import { tokensOf } from '../../models/price.ts'
import { actingFor } from '../../tools/acting.ts'
import { findConversation } from '../chat.queries.ts'
import { isCutShort, pathOf } from '../path.ts'
import { rulesFor } from '../rules/rules.ts'
import { sumOf } from './costs.ts'
import type { Ending } from './generations.queries.ts'
import { keptCall } from './parts.ts'
import { history, systemText } from './prompt.ts'
import type { Live } from './stream.ts'
import { cutAt, summing } from './summarize.ts'
import { openToolbox, type Toolbox } from './toolbox.ts'

const ROUNDS_MAX = 8
const CALLS_MAX = 16

type Spent = { -readonly [K in 'inputTokens' | 'outputTokens' | 'cost' | 'currency' | 'model']: Ending[K] }
export const nothingSpent = (): Spent => ({ inputTokens: 0, outputTokens: 0, cost: null, currency: null, model: null })

interface Work {
  readonly context: Context
  readonly live: Live
  readonly usable: Usable
  readonly spent: Spent
}

/** Makes an answer: the model writes and calls tools, in so many rounds. Gives why it stopped. `spent` is kept true also where it throws. */
export async function answer(context: Context, live: Live, spent: Spent): Promise<string> {
  const { storeId, userId, conversationId, messageId, id: generationId } = live.row
  const signal = live.controller.signal
  const store = await accessStore(context, actingFor(userId), storeId, ['viewer', 'stores:read'])
  const conversation = await findConversation(context.sql, conversationId)
  const [usable, toolbox, rules, path] = await Promise.all([
    context.chatModels.find(context, storeId, live.row.model ?? undefined),
    openToolbox(context, { storeId, userId, generationId }, signal),
    rulesFor(context.sql, storeId, userId, conversation?.path ?? null),
    pathOf(context.sql, messageId),
  ])
  Object.assign(spent, { model: usable.id, currency: usable.currency })
  const work = { context, live, usable, spent }
  const system: Message = {
    role: 'system',
    text: systemText({ store, rules, skills: toolbox.skills }),
  }
  const tools = usable.model.tools ? toolbox.tools : []
  const told = history(path, usable.id)
  const { inputTokens } = tokensOf({ messages: [system, ...told], tools: [...tools] })
  const cut = cutAt(path, isCutShort(path) ? Number.POSITIVE_INFINITY : inputTokens, usable.model.contextTokens)
  const from = cut
    ? [...(await summedUp(work, path.slice(0, path.indexOf(cut) + 1), cut.id)), ...history(path.slice(path.indexOf(cut) + 1), usable.id)]
    : told
  return rounds(work, toolbox, [system, ...from])
}

/** What stood before is one text from now on; said in the conversation, where it happened. */
async function summedUp(work: Work, before: Parameters<typeof history>[0], coversId: string): Promise<Message[]> {
  const { text } = await ask(work, { messages: summing(history(before, null), work.usable.model.contextTokens) }, () => {})
  work.live.add({ type: 'summary', text, coversId })
  return [{ role: 'user', parts: [{ type: 'text', text: `What was said before, summed up:\n${text}` }] }]
}

async function rounds(work: Work, toolbox: Toolbox, messages: Message[]): Promise<string> {
  const tools = work.usable.model.tools ? [...toolbox.tools] : []
  const leftOut = new Set<string>()
  const show = (part: Part) => {
    if (part.type === 'text' || part.type === 'thought') work.live.add(part)
    // Each round leaves it out again.
    if (part.type === 'leftOut' && !leftOut.has(part.tool)) {
      leftOut.add(part.tool)
      work.live.add(part)
    }
    if (part.type === 'toolCall') work.live.add({ type: 'toolCall', call: keptCall(part.call, work.usable.id) })
  }
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { text, toolCalls, reason } = await ask(work, { messages, ...(tools.length > 0 && { tools }) }, show)
    if (toolCalls.length === 0) return reason
    messages.push({ role: 'assistant', text, toolCalls: [...toolCalls] }, ...(await callAll(work, toolbox, toolCalls)))
  }
  return 'rounds'
}

async function callAll({ live }: Work, toolbox: Toolbox, calls: Parameters<typeof fewOf>[0]): Promise<Message[]> {
  // Before anything is called it is written down that it will be: what was begun is not begun again.
  await live.flush()
  const answers: Message[] = []
  for (const [at, call] of calls.entries()) {
    live.controller.signal.throwIfAborted()
    const called = at < CALLS_MAX ? await toolbox.call(call, live.controller.signal) : fewOf(calls)
    live.add({ type: 'toolResult', callId: call.id, tool: call.name, ...called })
    answers.push({ role: 'tool', callId: call.id, name: call.name, text: called.text, ...(called.failed && { failed: true }) })
  }
  return answers
}

const fewOf = (calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]) => ({
  text: `At most ${CALLS_MAX} tools are called at once, not ${calls.length}.`,
  failed: true,
  proposalId: null,
})

async function ask(
  { context, live, usable, spent }: Work,
  asked: Pick<Parameters<typeof tokensOf>[0], 'messages' | 'tools'>,
  onPart: (part: Part) => void,
) {
  const { signal } = live.controller
  const completed = await context.chatModels.complete(context, live.row.storeId, usable, asked, { signal, onPart })
  signal.throwIfAborted()
  spent.inputTokens += completed.usage.inputTokens ?? 0
  spent.outputTokens += completed.usage.outputTokens ?? 0
  spent.cost = sumOf(spent.cost, completed.cost)
  return completed
}
