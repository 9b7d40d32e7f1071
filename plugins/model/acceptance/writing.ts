import { check, fits, same } from '../../acceptance/checks.ts'
import { type Message, type Tool, Usage } from '../model.ts'
import { answered, asks, callsOf, type Draft, endOf, textOf } from './bench.ts'

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
export const writingCases = (): Draft[] => [
  {
    name: 'an answer comes complete and in order, multi-byte characters included, with its usage',
    async run(bench) {
      const usage = { inputTokens: 12, outputTokens: 34 }
      const parts = await answered(bench, { messages: [asks('Tell me of tea.')] }, { pieces: PIECES, usage })
      if (bench.rig.say) same(textOf(parts), PIECES.join(''), 'what came')
      if (bench.rig.say && !bench.rig.nameless) same(parts[0]?.type, 'started', 'the first part')
      check(parts.filter(({ type }) => type === 'text').length > 1, 'it comes in parts')
      same(endOf(parts), 'stop', 'the end')
      const [used, ...more] = parts.flatMap((part) => (part.type === 'usage' ? [part.usage] : []))
      same(more.length, 0, 'further counts')
      fits(Usage, used, 'usage')
      if (bench.rig.say) same([used?.inputTokens, used?.outputTokens], [12, 34], 'tokens')
    },
  },
  {
    name: 'tool calls come complete, with their arguments unchanged',
    async run(bench) {
      const calls = ['a', 'b'].map((id) => ({ id, name: TOOL.name, arguments: JSON.stringify(given) }))
      const script = { pieces: ['I look. '], toolCalls: calls, ending: 'tools' as const }
      const parts = await answered(bench, { messages: [asks(`call look_up ${JSON.stringify(given)}`)], tools: [TOOL] }, script)
      const came = callsOf(parts)
      const calledWith = came.map(({ carry: _, ...call }) => call)
      if (bench.rig.say) same(calledWith, calls, 'calls')
      check(came.length > 0, 'a tool is called')
      for (const one of came) same([one.name, JSON.parse(one.arguments)], [TOOL.name, given], 'call')
      same(endOf(parts), 'tools', 'the end')
    },
  },
  {
    name: 'a conversation with images and tool results is continued',
    async run(bench) {
      const parts = await answered(bench, { messages: [...conversation], tools: [TOOL] }, { pieces: ['A ', 'dot.'] })
      check(textOf(parts).length > 0, 'it says something')
      same(endOf(parts), 'stop', 'the end')
    },
  },
  {
    name: 'an answer matches the requested schema',
    async run(bench) {
      const asked = { messages: [asks('How many green ones? 7.')], output: { name: 'answer', schema: SCHEMA } }
      const parts = await answered(bench, asked, { pieces: ['{"colour":', '"green","count":7}'] })
      same(JSON.parse(textOf(parts)), { colour: 'green', count: 7 }, 'answer')
    },
  },
  {
    name: 'an answer that reaches the maximum length ends as such',
    async run(bench) {
      const asked = { messages: [asks('Tell me everything that you know of tea, and of coffee.')], maxTokens: 4 }
      same(endOf(await answered(bench, asked, { pieces: ['Tea is ', 'a'], ending: 'length' })), 'length', 'the end')
    },
  },
  {
    name: 'content that the source refuses ends as refused, without an error',
    async run(bench) {
      const parts = await answered(bench, { messages: [asks('REFUSE to tell me this.')] }, { ending: 'refused' })
      same([textOf(parts), endOf(parts)], ['', 'refused'], 'the end')
    },
  },
]
