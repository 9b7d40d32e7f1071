import type { ToolCall } from '../../../../plugins/model/model.ts'

/** A call as it is kept. What its source wants back with it is for that model alone, and shown to nobody. */
export type KeptCall = Omit<ToolCall, 'carry'> & { readonly carry?: { readonly model: string; readonly text: string } }

export const keptCall = ({ carry, ...call }: ToolCall, model: string): KeptCall => ({
  ...call,
  ...(carry !== undefined && { carry: { model, text: carry } }),
})
/** As this model is told of it; null: as nobody is told more than others. */
export const toldCall = ({ carry, ...call }: KeptCall, model: string | null): ToolCall => ({
  ...call,
  ...(carry && carry.model === model && { carry: carry.text }),
})

/** A part of an answer, as it is kept and streamed. `end` is the last. */
export type ChatPart =
  | { readonly type: 'text' | 'thought'; readonly text: string }
  | { readonly type: 'toolCall'; readonly call: KeptCall }
  /** A tool that the model cannot be told of: the answer is made without it. */
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

export interface Numbered {
  readonly seq: number
  readonly part: ChatPart
}

/** A message that parts come to. */
export interface Folded {
  readonly role: 'assistant' | 'tool' | 'summary'
  readonly text: string
  readonly toolCalls: readonly KeptCall[] | null
  readonly callId: string | null
  readonly tool: string | null
  readonly failed: boolean
  readonly proposalId: string | null
  readonly coversId: string | null
}

const blank = { toolCalls: null, callId: null, tool: null, failed: false, proposalId: null, coversId: null }

/** The messages that parts come to, in order. A call whose result is missing is given one, since models want each answered. */
export function fold(parts: readonly ChatPart[]): Folded[] {
  const messages: Folded[] = []
  let text = ''
  let calls: KeptCall[] = []
  let open: KeptCall[] = []
  const speak = () => {
    if (text !== '' || calls.length > 0) messages.push({ ...blank, role: 'assistant', text, toolCalls: calls.length > 0 ? calls : null })
    text = ''
    calls = []
  }
  const close = () => {
    speak()
    for (const { id, name } of open)
      messages.push({ ...blank, role: 'tool', text: 'This was interrupted.', callId: id, tool: name, failed: true })
    open = []
  }
  for (const part of parts) {
    if (part.type === 'summary') messages.push({ ...blank, role: 'summary', text: part.text, coversId: part.coversId })
    if (part.type === 'text') {
      if (calls.length === 0 && open.length > 0) close()
      text += part.text
    }
    if (part.type === 'toolCall') {
      calls.push(part.call)
      open.push(part.call)
    }
    if (part.type === 'toolResult') {
      speak()
      open = open.filter(({ id }) => id !== part.callId)
      const { callId, tool, failed, proposalId } = part
      messages.push({ ...blank, role: 'tool', text: part.text, callId, tool, failed, proposalId })
    }
  }
  close()
  return messages
}

/** A part as people see it. */
export const shownPart = (part: ChatPart): object => (part.type === 'toolCall' ? { ...part, call: toldCall(part.call, null) } : part)

/** As few parts as say the same: what is written together is one text. */
export function joined(parts: readonly ChatPart[]): ChatPart[] {
  const all: ChatPart[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (last && (part.type === 'text' || part.type === 'thought') && last.type === part.type)
      all[all.length - 1] = { type: part.type, text: (last as typeof part).text + part.text }
    else all.push(part)
  }
  return all
}
