import { assertEqual, assertFits, check } from '../../acceptance/checks.ts'
import { type Message, type Tool, Usage } from '../model.ts'
import { callsOf, completeOnce, type Draft, endOf, textOf, userMessage } from './bench.ts'

const PIECES = ['Mint ', 'tea – ', 'شاي ', 'بالنعناع', ' 🍃, ', 'and\n\n', ' ', '\n', 'data: [DONE]', '.']
/** Tool that the cases offer. */
export const TOOL: Tool = {
  name: 'look_up',
  description: 'Looks something up',
  parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'], additionalProperties: false },
}
/** Schema that answers must match. */
export const SCHEMA = {
  type: 'object',
  properties: { colour: { type: 'string', enum: ['red', 'green'] }, count: { type: 'integer' } },
  required: ['colour', 'count'],
  additionalProperties: false,
}
/** An image of one pixel in base64. */
export const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const given = { word: 'café «x»' }

/** Conversation with texts, an image, a tool call and its result. */
export const conversation: readonly Message[] = [
  { role: 'system', text: 'You are brief.' },
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'What is this?' },
      { type: 'image', image: { mediaType: 'image/png', data: DOT } },
    ],
  },
  { role: 'assistant', text: 'I look.', toolCalls: [{ id: 'call-1', name: 'look_up', arguments: '{"word":"dot"}' }] },
  { role: 'tool', callId: 'call-1', name: 'look_up', text: '{"found":"a dot"}' },
  { role: 'user', parts: [{ type: 'text', text: 'And what colour?' }] },
]

/** Cases about the answers. */
export const answerCases = (): Draft[] => [
  {
    name: 'an answer comes complete and in order, multi-byte characters included, with its usage',
    async run(bench) {
      const usage = { inputTokens: 12, outputTokens: 34 }
      const parts = await completeOnce(bench, { messages: [userMessage('Tell me of tea.')] }, { pieces: PIECES, usage })
      if (bench.rig.say) assertEqual(textOf(parts), PIECES.join(''), 'what came')
      if (bench.rig.say && !bench.rig.nameless) assertEqual(parts[0]?.type, 'started', 'the first part')
      check(parts.filter(({ type }) => type === 'text').length > 1, 'it comes in parts')
      assertEqual(endOf(parts), 'stop', 'the end')
      const [used, ...more] = parts.flatMap((part) => (part.type === 'usage' ? [part.usage] : []))
      assertEqual(more.length, 0, 'further counts')
      assertFits(Usage, used, 'usage')
      if (bench.rig.say) assertEqual([used?.inputTokens, used?.outputTokens], [12, 34], 'tokens')
    },
  },
  {
    name: 'tool calls come complete, with their arguments unchanged',
    async run(bench) {
      const calls = ['a', 'b'].map((id) => ({ id, name: TOOL.name, arguments: JSON.stringify(given) }))
      const script = { pieces: ['I look. '], toolCalls: calls, ending: 'tools' as const }
      const parts = await completeOnce(bench, { messages: [userMessage(`call look_up ${JSON.stringify(given)}`)], tools: [TOOL] }, script)
      const came = callsOf(parts)
      const calledWith = came.map(({ carry: _, ...call }) => call)
      if (bench.rig.say) assertEqual(calledWith, calls, 'calls')
      check(came.length > 0, 'a tool is called')
      for (const one of came) assertEqual([one.name, JSON.parse(one.arguments)], [TOOL.name, given], 'call')
      assertEqual(endOf(parts), 'tools', 'the end')
    },
  },
  {
    name: 'a conversation with images and tool results is continued',
    async run(bench) {
      const parts = await completeOnce(bench, { messages: [...conversation], tools: [TOOL] }, { pieces: ['A ', 'dot.'] })
      check(textOf(parts).length > 0, 'it says something')
      assertEqual(endOf(parts), 'stop', 'the end')
    },
  },
  {
    name: 'an answer matches the requested schema',
    async run(bench) {
      const asked = { messages: [userMessage('How many green ones? 7.')], output: { name: 'answer', schema: SCHEMA } }
      const parts = await completeOnce(bench, asked, { pieces: ['{"colour":', '"green","count":7}'] })
      assertEqual(JSON.parse(textOf(parts)), { colour: 'green', count: 7 }, 'answer')
    },
  },
  {
    name: 'an answer that reaches the maximum length ends as such',
    async run(bench) {
      const asked = { messages: [userMessage('Tell me everything that you know of tea, and of coffee.')], maxTokens: 4 }
      assertEqual(endOf(await completeOnce(bench, asked, { pieces: ['Tea is ', 'a'], ending: 'length' })), 'length', 'the end')
    },
  },
  {
    name: 'content that the source refuses ends as refused, without an error',
    async run(bench) {
      const parts = await completeOnce(bench, { messages: [userMessage('REFUSE to tell me this.')] }, { ending: 'refused' })
      assertEqual([textOf(parts), endOf(parts)], ['', 'refused'], 'the end')
    },
  },
]
