import { jsonIn } from '../../toolkit/ask.ts'
import { present } from '../../toolkit/values.ts'
import type { Completion, Message } from '../model.ts'
import { type ToldTools, tellTools } from './tell-tools.ts'
import { objectSchema } from './tool-schema.ts'

/**
 * Builds the body of a `/chat/completions` request. `limit` is the name of the parameter for the maximum answer length; servers differ in
 * it.
 */
export function chatRequest(
  asked: Completion,
  limit: 'max_tokens' | 'max_completion_tokens' = 'max_tokens',
  told: ToldTools = tellTools(asked),
) {
  const { model, messages, toolChoice, output, maxTokens, temperature, person } = asked
  const tools = told.tools.length > 0 ? told.tools : undefined
  return {
    model,
    messages: messages.map((message) => messageOf(message, told)),
    stream: true,
    stream_options: { include_usage: true },
    ...present({
      tools: tools?.map(({ schema: parameters, ...tool }) => ({ type: 'function', function: { ...tool, parameters } })),
      tool_choice: tools && toolChoice,
      response_format: output && { type: 'json_schema', json_schema: { ...output, schema: objectSchema(output.schema) ?? output.schema } },
      [limit]: maxTokens,
      temperature,
      user: person,
    }),
  }
}

function messageOf(message: Message, { nameOf }: ToldTools): object {
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
  const calls = message.toolCalls?.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name: nameOf(name), arguments: given },
  }))
  const reasoning = message.toolCalls?.flatMap(({ carry }) => reasoningIn(carry))
  return {
    role: 'assistant',
    content: message.text || null,
    ...(calls?.length && { tool_calls: calls }),
    ...(reasoning?.length && { reasoning_details: reasoning }),
  }
}

/** Parses the reasoning details carried with a tool call, which OpenRouter wants back unchanged; empty if there are none. */
function reasoningIn(carry: string | undefined): readonly unknown[] {
  const details = carry === undefined ? undefined : jsonIn(carry)
  return Array.isArray(details) ? details : []
}
