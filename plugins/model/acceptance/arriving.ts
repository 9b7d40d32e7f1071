import { assertEqual, requireMember } from '../../acceptance/checks.ts'
import type { Message, Part, ToolCall } from '../model.ts'
import { type Bench, callsOf, collect, completeOnce, type Draft, textOf, userMessage } from './bench.ts'
import { NO_OBJECT, ODD_TOOLS } from './odd-tools.ts'
import type { Heard } from './rig.ts'
import { conversation, DOT, SCHEMA, TOOL } from './writing.ts'

/** Opaque data of a realistic length, with characters that encodings often change. */
const CARRY = `${'Ab+/'.repeat(2_000)}==`

const skipUnlessRecorded = ({ rig }: Pick<Bench, 'rig'>) => !rig.heard && 'its rig does not record requests'

/** Sends one completion and returns the request that the simulator received. */
async function recordRequest({ adapter, rig, open }: Bench, asked: object): Promise<Heard> {
  rig.say?.({ pieces: ['{"colour":"green","count":7}'] })
  const completion = { model: rig.models.text, messages: [...conversation], ...asked }
  const { error } = await collect(adapter.complete(open().context, completion))
  if (error) throw error
  const [last] = (await rig.calls()).slice(-1)
  return requireMember(rig.heard, 'heard')(requireMember(last, 'calls'))
}

interface Schema {
  readonly properties?: unknown
  readonly required?: unknown
}
/** Keywords of a schema that every source preserves; some do not support the others. */
const comparable = (schema: unknown) => {
  const { properties, required } = (schema ?? {}) as Schema
  return { properties, required }
}

const omittedTools = (parts: readonly Part[]) => parts.flatMap((part) => (part.type === 'leftOut' ? [part.tool] : []))

/** Builds the messages of tool calls with a result for each. */
const answersTo = (toolCalls: readonly ToolCall[]): Message[] => [
  { role: 'assistant', text: '', toolCalls: [...toolCalls] },
  ...toolCalls.map(({ id, name }) => ({ role: 'tool' as const, callId: id, name, text: '{"done":true}' })),
]

/** Cases about the messages of a request. */
const conversationCases: readonly Draft[] = [
  {
    name: 'a conversation arrives unchanged: roles, texts, images, tool calls and their results',
    skip: skipUnlessRecorded,
    async run(bench) {
      const { model, system, said } = await recordRequest(bench, { tools: [TOOL] })
      assertEqual([model, system], [bench.rig.models.text, 'You are brief.'], 'the model, and what the system says')
      const expected: Heard['said'] = [
        { by: 'user', text: 'What is this?' },
        { by: 'user', picture: `image/png ${DOT}` },
        { by: 'assistant', text: 'I look.' },
        { by: 'assistant', calls: 'look_up', given: { word: 'dot' } },
        { by: 'tool', answers: 'look_up', text: '{"found":"a dot"}' },
        { by: 'user', text: 'And what colour?' },
      ]
      assertEqual(said, expected, 'what was said')
    },
  },
  {
    name: 'opaque data of a tool call is sent back unchanged with that call only',
    skip: ({ rig }) => !(rig.heard && rig.carries) && 'it carries no opaque data',
    async run(bench) {
      const given = { word: 'dot' }
      const call = { name: TOOL.name, arguments: JSON.stringify(given) }
      const script = [
        { ...call, id: 'a', carry: CARRY },
        { ...call, id: 'b' },
      ]
      const parts = await completeOnce(bench, { messages: [userMessage('Look.')], tools: [TOOL] }, { toolCalls: script, ending: 'tools' })
      const toolCalls = callsOf(parts)
      const answers = toolCalls.map(({ id, name }) => ({ role: 'tool' as const, callId: id, name, text: '{"found":"a dot"}' }))
      const { said } = await recordRequest(bench, {
        messages: [userMessage('Look.'), { role: 'assistant', text: '', toolCalls }, ...answers],
        tools: [TOOL],
      })
      const calls = said.filter((one) => 'calls' in one)
      const called = { by: 'assistant', calls: TOOL.name, given }
      assertEqual(calls, [{ ...called, carry: CARRY }, called], 'what was called')
    },
  },
]

/** Cases about the tools of a request, also those that a source refuses. */
const toolCases: readonly Draft[] = [
  {
    name: 'tools arrive with their descriptions and parameters',
    skip: skipUnlessRecorded,
    async run(bench) {
      const { tools } = await recordRequest(bench, { tools: [TOOL] })
      const { name, description, parameters } = TOOL
      assertEqual(
        tools.map((tool) => ({ ...tool, parameters: comparable(tool.parameters) })),
        [{ name, description, parameters: comparable(parameters) }],
        'tools',
      )
    },
  },
  {
    name: 'tools that some providers refuse arrive in an accepted form, and calls come back under their own names',
    skip: skipUnlessRecorded,
    async run(bench) {
      const tools = [TOOL, ...ODD_TOOLS]
      const { tools: offered } = await recordRequest(bench, { tools })
      assertEqual(offered.length, tools.length, 'tools that arrived')
      const id = 'a'
      const calls = offered.map(({ name }, at) => ({ id: `${id}${at}`, name, arguments: '{}' }))
      const parts = await completeOnce(bench, { messages: [userMessage('Call all.')], tools }, { toolCalls: calls, ending: 'tools' })
      assertEqual(
        callsOf(parts).map(({ name }) => name),
        tools.map(({ name }) => name),
        'names of the tools that are called',
      )
      const [odd] = ODD_TOOLS
      const again = { messages: [userMessage('Go on.'), ...answersTo(callsOf(parts))], tools: odd ? [odd] : [] }
      assertEqual(
        (await recordRequest(bench, again)).said.flatMap((one) => ('calls' in one ? [one.calls] : [])),
        offered.map(({ name }) => name),
        'names of the tools that were called before',
      )
    },
  },
  {
    name: 'a tool that cannot be described is left out with a note, and the answer comes',
    skip: skipUnlessRecorded,
    async run(bench) {
      const parts = await completeOnce(bench, { messages: [userMessage('Hello')], tools: [TOOL, NO_OBJECT] }, { pieces: ['Well.'] })
      assertEqual(textOf(parts), 'Well.', 'the answer')
      const last = requireMember((await bench.rig.calls()).at(-1), 'calls')
      const arrived = requireMember(bench.rig.heard, 'heard')(last).tools.map(({ name }) => name)
      // Some sources accept any schema.
      if (!arrived.includes(NO_OBJECT.name)) assertEqual(omittedTools(parts), [NO_OBJECT.name], 'what was left out')
    },
  },
  {
    name: 'a tool that the source refuses is left out with a note, and the answer comes',
    skip: ({ rig }) => !rig.refuse && 'it refuses no tool',
    async run(bench) {
      const [odd] = ODD_TOOLS
      bench.rig.refuse?.(TOOL.name)
      try {
        const tools = [...(odd ? [odd] : []), TOOL]
        const parts = await completeOnce(bench, { messages: [userMessage('Hello')], tools }, { pieces: ['Well.'] })
        assertEqual([omittedTools(parts), textOf(parts)], [[TOOL.name], 'Well.'], 'what was left out, and the answer')
        const last = requireMember((await bench.rig.calls()).at(-1), 'calls')
        assertEqual(requireMember(bench.rig.heard, 'heard')(last).tools.length, 1, 'tools that were offered in the end')
      } finally {
        bench.rig.refuse?.(undefined)
      }
    },
  },
]

/** Cases about the answer that a request asks for. */
const answerCases: readonly Draft[] = [
  {
    name: 'the maximum length and the schema of an answer arrive',
    skip: skipUnlessRecorded,
    async run(bench) {
      const { maxTokens, schema } = await recordRequest(bench, { maxTokens: 77, output: { name: 'answer', schema: SCHEMA } })
      assertEqual({ maxTokens, ...comparable(schema) }, { maxTokens: 77, ...comparable(SCHEMA) }, 'what was asked for')
    },
  },
]

/** Cases that check the request as it arrives, since an answer does not show it. */
export const requestCases = (): Draft[] => [...conversationCases, ...toolCases, ...answerCases]
