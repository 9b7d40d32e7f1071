import { check, fits, same } from '../../acceptance/checks.ts'
import { type Message, type Tool, Usage } from '../model.ts'
import { answered, asks, callsOf, type Draft, endOf, textOf } from './bench.ts'

const PIECES = ['Mint ', 'tea – ', 'شاي ', 'بالنعناع', ' 🍃, ', 'and\n\n', ' ', '\n', 'data: [DONE]', '.']
export const TOOL: Tool = {
  name: 'look_up',
  description: 'Looks something up',
  parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'], additionalProperties: false },
}
export const SCHEMA = {
  type: 'object',
  properties: { colour: { type: 'string', enum: ['red', 'green'] }, count: { type: 'integer' } },
  required: ['colour', 'count'],
  additionalProperties: false,
}
export const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const given = { word: 'café «x»' }

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

export const writingCases = (): Draft[] => [
  {
    name: 'what is said comes in order and whole, letters of several bytes among it, and is counted',
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
    name: 'tools that are to be called come whole, with the arguments as they were written',
    async run(bench) {
      const calls = ['a', 'b'].map((id) => ({ id, name: TOOL.name, arguments: JSON.stringify(given) }))
      const script = { pieces: ['I look. '], toolCalls: calls, ending: 'tools' as const }
      const parts = await answered(bench, { messages: [asks(`call look_up ${JSON.stringify(given)}`)], tools: [TOOL] }, script)
      const came = callsOf(parts)
      const bare = came.map(({ carry: _, ...call }) => call)
      if (bench.rig.say) same(bare, calls, 'calls')
      check(came.length > 0, 'a tool is called')
      for (const one of came) same([one.name, JSON.parse(one.arguments)], [TOOL.name, given], 'call')
      same(endOf(parts), 'tools', 'the end')
    },
  },
  {
    name: 'it goes on from what was said before, pictures and answers of tools among it',
    async run(bench) {
      const parts = await answered(bench, { messages: [...conversation], tools: [TOOL] }, { pieces: ['A ', 'dot.'] })
      check(textOf(parts).length > 0, 'it says something')
      same(endOf(parts), 'stop', 'the end')
    },
  },
  {
    name: 'an answer that has to fit a schema does',
    async run(bench) {
      const asked = { messages: [asks('How many green ones? 7.')], output: { name: 'answer', schema: SCHEMA } }
      const parts = await answered(bench, asked, { pieces: ['{"colour":', '"green","count":7}'] })
      same(JSON.parse(textOf(parts)), { colour: 'green', count: 7 }, 'answer')
    },
  },
  {
    name: 'one that grows too long ends so',
    async run(bench) {
      const asked = { messages: [asks('Tell me everything that you know of tea, and of coffee.')], maxTokens: 4 }
      same(endOf(await answered(bench, asked, { pieces: ['Tea is ', 'a'], ending: 'length' })), 'length', 'the end')
    },
  },
  {
    name: 'what the other side will not say is refused, and is no fault',
    async run(bench) {
      const parts = await answered(bench, { messages: [asks('REFUSE to tell me this.')] }, { ending: 'refused' })
      same([textOf(parts), endOf(parts)], ['', 'refused'], 'the end')
    },
  },
]
