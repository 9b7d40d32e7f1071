import type { Message, Part } from '../../../../plugins/model/model.ts'
import type { Context } from '../../../context.ts'
import { storeIdOf } from '../../../data/project-ids.ts'
import { accessStore } from '../../../shop/stores/access.ts'
import type { AvailableModel } from '../../models/models.model.ts'
import { estimateRequestTokens } from '../../models/price.ts'
import { principalOfUser } from '../../tools/user-principal.ts'
import { findConversation } from '../chat.queries.ts'
import { isTruncated, readMessagePath } from '../message-path.ts'
import { listRuleTexts } from '../rules/rules.ts'
import { addCosts } from './costs.ts'
import type { GenerationEnding } from './generations.queries.ts'
import { toStoredCall } from './parts.ts'
import { buildHistory, buildSystemPrompt } from './prompt.ts'
import { modelSource } from './source.ts'
import type { LiveGeneration } from './stream.ts'
import { buildSummaryRequest, findSummaryCut } from './summarize.ts'
import { buildToolbox, type Toolbox } from './toolbox.ts'

/** Rounds of one answer; a round is one completion and the tool calls in it. */
const ROUNDS_MAX = 8
/** Tool calls of one round that are made. */
const CALLS_MAX = 16

type AnswerUsage = { -readonly [K in 'inputTokens' | 'outputTokens' | 'cost' | 'currency' | 'model']: GenerationEnding[K] }
/** Usage of a generation before its first request. */
export const emptyUsage = (): AnswerUsage => ({ inputTokens: 0, outputTokens: 0, cost: null, currency: null, model: null })

interface AnswerWork {
  readonly context: Context
  readonly live: LiveGeneration
  readonly usable: AvailableModel
  readonly spent: AnswerUsage
}

/**
 * Generates an answer: the model writes and calls tools, in at most {@link ROUNDS_MAX} rounds. Returns the reason for its end. Updates
 * `spent` after each request, so that it is right even when this throws.
 */
export async function generateAnswer(context: Context, live: LiveGeneration, spent: AnswerUsage): Promise<string> {
  const { projectId, userId, conversationId, messageId, id: generationId } = live.row
  const signal = live.controller.signal
  const store = await accessStore(context, principalOfUser(userId), storeIdOf(projectId), ['viewer', 'stores:read'])
  const conversation = await findConversation(context.sql, { projectId, id: conversationId })
  const [usable, toolbox, rules, path] = await Promise.all([
    modelSource.find(context, store.id, live.row.model ?? undefined),
    buildToolbox(context, { projectId, userId, generationId }, signal),
    listRuleTexts(context.sql, projectId, userId, conversation?.path ?? null),
    readMessagePath(context.sql, projectId, messageId),
  ])
  Object.assign(spent, { model: usable.id, currency: usable.currency })
  const work = { context, live, usable, spent }
  const system: Message = {
    role: 'system',
    text: buildSystemPrompt({ store, rules, skills: toolbox.skills }),
  }
  const tools = usable.model.tools ? toolbox.tools : []
  const messages = buildHistory(path, usable.id)
  const { inputTokens } = estimateRequestTokens({ messages: [system, ...messages], tools: [...tools] })
  const cut = findSummaryCut(path, isTruncated(path) ? Number.POSITIVE_INFINITY : inputTokens, usable.model.contextTokens)
  const from = cut
    ? [
        ...(await summarizeEarlier(work, path.slice(0, path.indexOf(cut) + 1), cut.id)),
        ...buildHistory(path.slice(path.indexOf(cut) + 1), usable.id),
      ]
    : messages
  return runRounds(work, toolbox, [system, ...from])
}

/** Replaces the earlier messages by a summary, and streams it as a part of the answer. */
async function summarizeEarlier(work: AnswerWork, before: Parameters<typeof buildHistory>[0], coversId: string): Promise<Message[]> {
  const { text } = await callModel(
    work,
    { messages: buildSummaryRequest(buildHistory(before, null), work.usable.model.contextTokens) },
    () => {},
  )
  work.live.add({ type: 'summary', text, coversId })
  return [{ role: 'user', parts: [{ type: 'text', text: `Summary of the conversation so far:\n${text}` }] }]
}

async function runRounds(work: AnswerWork, toolbox: Toolbox, messages: Message[]): Promise<string> {
  const tools = work.usable.model.tools ? [...toolbox.tools] : []
  const leftOut = new Set<string>()
  const show = (part: Part) => {
    if (part.type === 'text' || part.type === 'thought') work.live.add(part)
    // Streamed once, although each round reports it again.
    if (part.type === 'leftOut' && !leftOut.has(part.tool)) {
      leftOut.add(part.tool)
      work.live.add(part)
    }
    if (part.type === 'toolCall') work.live.add({ type: 'toolCall', call: toStoredCall(part.call, work.usable.id) })
  }
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { text, toolCalls, reason } = await callModel(work, { messages, ...(tools.length > 0 && { tools }) }, show)
    if (toolCalls.length === 0) return reason
    messages.push({ role: 'assistant', text, toolCalls: [...toolCalls] }, ...(await callTools(work, toolbox, toolCalls)))
  }
  return 'rounds'
}

async function callTools({ live }: AnswerWork, toolbox: Toolbox, calls: Parameters<typeof tooManyCalls>[0]): Promise<Message[]> {
  // Stores the calls before they are made, so that no crash leads to a second call.
  await live.flush()
  const answers: Message[] = []
  for (const [at, call] of calls.entries()) {
    live.controller.signal.throwIfAborted()
    const called = at < CALLS_MAX ? await toolbox.call(call, live.controller.signal) : tooManyCalls(calls)
    live.add({ type: 'toolResult', callId: call.id, tool: call.name, ...called })
    answers.push({ role: 'tool', callId: call.id, name: call.name, text: called.text, ...(called.failed && { failed: true }) })
  }
  return answers
}

const tooManyCalls = (calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]) => ({
  text: `At most ${CALLS_MAX} tools can be called at once, not ${calls.length}.`,
  failed: true,
  proposalId: null,
})

async function callModel(
  { context, live, usable, spent }: AnswerWork,
  asked: Pick<Parameters<typeof estimateRequestTokens>[0], 'messages' | 'tools'>,
  onPart: (part: Part) => void,
) {
  const { signal } = live.controller
  const completed = await modelSource.complete(context, storeIdOf(live.row.projectId), usable, asked, { signal, onPart })
  signal.throwIfAborted()
  spent.inputTokens += completed.usage.inputTokens ?? 0
  spent.outputTokens += completed.usage.outputTokens ?? 0
  spent.cost = addCosts(spent.cost, completed.cost)
  return completed
}
