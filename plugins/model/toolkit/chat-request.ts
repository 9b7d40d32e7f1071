import { present } from '../../toolkit/values.ts'
import type { Completion, Message } from '../model.ts'

/** What is asked of `/chat/completions`, as all who speak that way understand it. `limit`: how the parameter for the longest answer is called. */
export function chatRequest(asked: Completion, limit: 'max_tokens' | 'max_completion_tokens' = 'max_tokens') {
  const { model, messages, toolChoice, output, maxTokens, temperature, person } = asked
  const tools = asked.tools?.length ? asked.tools : undefined
  return {
    model,
    messages: messages.map(messageOf),
    stream: true,
    stream_options: { include_usage: true },
    ...present({
      tools: tools?.map((tool) => ({ type: 'function', function: tool })),
      tool_choice: tools && toolChoice,
      response_format: output && { type: 'json_schema', json_schema: output },
      [limit]: maxTokens,
      temperature,
      user: person,
    }),
  }
}

function messageOf(message: Message): object {
  if (message.role === 'system') return { role: 'system', content: message.text }
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.text }
  if (message.role === 'user')
    return {
      role: 'user',
      content: message.parts.map((part) =>
        part.type === 'text'
          ? { type: 'text', text: part.text }
          : { type: 'image_url', image_url: { url: `data:${part.image.mediaType};base64,${part.image.data}` } },
      ),
    }
  const calls = message.toolCalls?.map(({ id, name, arguments: given }) => ({ id, type: 'function', function: { name, arguments: given } }))
  return { role: 'assistant', content: message.text || null, ...(calls?.length && { tool_calls: calls }) }
}
