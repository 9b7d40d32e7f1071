import type { ToolCall } from '../../../../plugins/model/model.ts'

/** Tool call as stored. `carry` is opaque data that only the model that wrote it gets back; the API never shows it. */
export type StoredCall = Omit<ToolCall, 'carry'> & { readonly carry?: { readonly model: string; readonly text: string } }

/** Converts a call of a model for storage; records the model that its `carry` belongs to. */
export const toStoredCall = ({ carry, ...call }: ToolCall, model: string): StoredCall => ({
  ...call,
  ...(carry !== undefined && { carry: { model, text: carry } }),
})
/** Returns a call for a model: with `carry` only for the model that wrote it. Null returns it without `carry`. */
export const presentCall = ({ carry, ...call }: StoredCall, model: string | null): ToolCall => ({
  ...call,
  ...(carry && carry.model === model && { carry: carry.text }),
})

/** Part of an answer, as stored and streamed. `end` is the last one. */
export type ChatPart =
  | { readonly type: 'text' | 'thought'; readonly text: string }
  | { readonly type: 'toolCall'; readonly call: StoredCall }
  /** Tool whose definition the model does not support; the answer is generated without it. */
  | { readonly type: 'leftOut'; readonly tool: string; readonly reason: string }
  | {
      readonly type: 'toolResult'
      readonly callId: string
      readonly tool: string
      readonly text: string
      readonly failed: boolean
      readonly proposalId: string | null
    }
  | { readonly type: 'summary'; readonly text: string; readonly coversId: string }
  | {
      readonly type: 'end'
      readonly state: string
      readonly reason: string | null
      readonly problem: string | null
      readonly answerId: string | null
    }

/** Part with its sequence number, from 1 in each generation. */
export interface NumberedPart {
  readonly seq: number
  readonly part: ChatPart
}

/** Message that is assembled from parts of an answer. */
export interface AssembledMessage {
  readonly role: 'assistant' | 'tool' | 'summary'
  readonly text: string
  readonly toolCalls: readonly StoredCall[] | null
  readonly callId: string | null
  readonly tool: string | null
  readonly failed: boolean
  readonly proposalId: string | null
  readonly coversId: string | null
}

const blank = { toolCalls: null, callId: null, tool: null, failed: false, proposalId: null, coversId: null }

/** Assembles the parts of an answer to messages, in order. Adds a failed result to each call without one, because models require it. */
export function assembleMessages(parts: readonly ChatPart[]): AssembledMessage[] {
  const messages: AssembledMessage[] = []
  let text = ''
  let calls: StoredCall[] = []
  let unanswered: StoredCall[] = []
  const endAssistant = () => {
    if (text !== '' || calls.length > 0) messages.push({ ...blank, role: 'assistant', text, toolCalls: calls.length > 0 ? calls : null })
    text = ''
    calls = []
  }
  const close = () => {
    endAssistant()
    for (const { id, name } of unanswered)
      messages.push({ ...blank, role: 'tool', text: 'This was interrupted.', callId: id, tool: name, failed: true })
    unanswered = []
  }
  for (const part of parts) {
    if (part.type === 'summary') messages.push({ ...blank, role: 'summary', text: part.text, coversId: part.coversId })
    if (part.type === 'text') {
      if (calls.length === 0 && unanswered.length > 0) close()
      text += part.text
    }
    if (part.type === 'toolCall') {
      calls.push(part.call)
      unanswered.push(part.call)
    }
    if (part.type === 'toolResult') {
      endAssistant()
      unanswered = unanswered.filter(({ id }) => id !== part.callId)
      const { callId, tool, failed, proposalId } = part
      messages.push({ ...blank, role: 'tool', text: part.text, callId, tool, failed, proposalId })
    }
  }
  close()
  return messages
}

/** API view of a part; leaves out `carry` of a call. */
export const presentPart = (part: ChatPart): object => (part.type === 'toolCall' ? { ...part, call: presentCall(part.call, null) } : part)

/** Merges adjacent texts, and adjacent thoughts, to fewer parts. */
export function mergeParts(parts: readonly ChatPart[]): ChatPart[] {
  const all: ChatPart[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (last && (part.type === 'text' || part.type === 'thought') && last.type === part.type)
      all[all.length - 1] = { type: part.type, text: (last as typeof part).text + part.text }
    else all.push(part)
  }
  return all
}
