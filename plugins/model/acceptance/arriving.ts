import { needed, same } from '../../acceptance/checks.ts'
import type { Message, Part, ToolCall } from '../model.ts'
import { answered, asks, type Bench, callsOf, collect, type Draft, textOf } from './bench.ts'
import { NO_OBJECT, ODD_TOOLS } from './odd-tools.ts'
import type { Heard } from './rig.ts'
import { conversation, DOT, SCHEMA, TOOL } from './writing.ts'

/** As long as such are, with letters that are easily written otherwise. */
const CARRY = `${'Ab+/'.repeat(2_000)}==`

const unheard = ({ rig }: Pick<Bench, 'rig'>) => !rig.heard && 'what it is asked goes nowhere'

/** Asks once, and gives what the other side was asked. */
async function heard({ adapter, rig, open }: Bench, asked: object): Promise<Heard> {
  rig.say?.({ pieces: ['{"colour":"green","count":7}'] })
  const completion = { model: rig.models.text, messages: [...conversation], ...asked }
  const { error } = await collect(adapter.complete(open().context, completion))
  if (error) throw error
  const [last] = (await rig.calls()).slice(-1)
  return needed(rig.heard, 'heard')(needed(last, 'calls'))
}

interface Schema {
  readonly properties?: unknown
  readonly required?: unknown
}
/** What every source keeps of a schema; some do not know the other words. */
const kept = (schema: unknown) => {
  const { properties, required } = (schema ?? {}) as Schema
  return { properties, required }
}

const leftOutOf = (parts: readonly Part[]) => parts.flatMap((part) => (part.type === 'leftOut' ? [part.tool] : []))

/** Calls as they were made, each with an answer. */
const answersTo = (toolCalls: readonly ToolCall[]): Message[] => [
  { role: 'assistant', text: '', toolCalls: [...toolCalls] },
  ...toolCalls.map(({ id, name }) => ({ role: 'tool' as const, callId: id, name, text: '{"done":true}' })),
]

/** What is asked arrives: an answer says nothing of that. */
export const arrivingCases = (): Draft[] => [
  {
    name: 'a conversation arrives as it went: who said what, what was shown, called and answered',
    skip: unheard,
    async run(bench) {
      const { model, system, said } = await heard(bench, { tools: [TOOL] })
      same([model, system], [bench.rig.models.text, 'You are brief.'], 'the model, and what the system says')
      const expected: Heard['said'] = [
        { by: 'user', text: 'What is this?' },
        { by: 'user', picture: `image/png ${DOT}` },
        { by: 'assistant', text: 'I look.' },
        { by: 'assistant', calls: 'look_up', given: { word: 'dot' } },
        { by: 'tool', answers: 'look_up', text: '{"found":"a dot"}' },
        { by: 'user', text: 'And what colour?' },
      ]
      same(said, expected, 'what was said')
    },
  },
  {
    name: 'what the other side wants back with a call comes back with it as it was, and with no other',
    skip: ({ rig }) => !(rig.heard && rig.carries) && 'it wants nothing back',
    async run(bench) {
      const given = { word: 'dot' }
      const call = { name: TOOL.name, arguments: JSON.stringify(given) }
      const script = [
        { ...call, id: 'a', carry: CARRY },
        { ...call, id: 'b' },
      ]
      const parts = await answered(bench, { messages: [asks('Look.')], tools: [TOOL] }, { toolCalls: script, ending: 'tools' })
      const toolCalls = callsOf(parts)
      const answers = toolCalls.map(({ id, name }) => ({ role: 'tool' as const, callId: id, name, text: '{"found":"a dot"}' }))
      const { said } = await heard(bench, {
        messages: [asks('Look.'), { role: 'assistant', text: '', toolCalls }, ...answers],
        tools: [TOOL],
      })
      const calls = said.filter((one) => 'calls' in one)
      const called = { by: 'assistant', calls: TOOL.name, given }
      same(calls, [{ ...called, carry: CARRY }, called], 'what was called')
    },
  },
  {
    name: 'tools arrive with what they are for and what they take',
    skip: unheard,
    async run(bench) {
      const { tools } = await heard(bench, { tools: [TOOL] })
      const { name, description, parameters } = TOOL
      same(
        tools.map((tool) => ({ ...tool, parameters: kept(tool.parameters) })),
        [{ name, description, parameters: kept(parameters) }],
        'tools',
      )
    },
  },
  {
    name: 'tools that other sides refuse as they are arrive in another form, and a call comes back in their own',
    skip: unheard,
    async run(bench) {
      const tools = [TOOL, ...ODD_TOOLS]
      const { tools: told } = await heard(bench, { tools })
      same(told.length, tools.length, 'tools that arrived')
      const id = 'a'
      const calls = told.map(({ name }, at) => ({ id: `${id}${at}`, name, arguments: '{}' }))
      const parts = await answered(bench, { messages: [asks('Call all.')], tools }, { toolCalls: calls, ending: 'tools' })
      same(
        callsOf(parts).map(({ name }) => name),
        tools.map(({ name }) => name),
        'names of the tools that are called',
      )
      const [odd] = ODD_TOOLS
      const again = { messages: [asks('Go on.'), ...answersTo(callsOf(parts))], tools: odd ? [odd] : [] }
      same(
        (await heard(bench, again)).said.flatMap((one) => ('calls' in one ? [one.calls] : [])),
        told.map(({ name }) => name),
        'names of the tools that were called before',
      )
    },
  },
  {
    name: 'a tool that cannot be told is left out with a note, and the answer comes',
    skip: unheard,
    async run(bench) {
      const parts = await answered(bench, { messages: [asks('Hello')], tools: [TOOL, NO_OBJECT] }, { pieces: ['Well.'] })
      same(textOf(parts), 'Well.', 'the answer')
      const last = needed((await bench.rig.calls()).at(-1), 'calls')
      const arrived = needed(bench.rig.heard, 'heard')(last).tools.map(({ name }) => name)
      // Some sources take anything.
      if (!arrived.includes(NO_OBJECT.name)) same(leftOutOf(parts), [NO_OBJECT.name], 'what was left out')
    },
  },
  {
    name: 'a tool that the other side refuses is left out with a note, and the answer comes',
    skip: ({ rig }) => !rig.refuse && 'it refuses no tool',
    async run(bench) {
      const [odd] = ODD_TOOLS
      bench.rig.refuse?.(TOOL.name)
      try {
        const tools = [...(odd ? [odd] : []), TOOL]
        const parts = await answered(bench, { messages: [asks('Hello')], tools }, { pieces: ['Well.'] })
        same([leftOutOf(parts), textOf(parts)], [[TOOL.name], 'Well.'], 'what was left out, and the answer')
        const last = needed((await bench.rig.calls()).at(-1), 'calls')
        same(needed(bench.rig.heard, 'heard')(last).tools.length, 1, 'tools that were offered in the end')
      } finally {
        bench.rig.refuse?.(undefined)
      }
    },
  },
  {
    name: 'how long an answer may be, and what it has to fit, arrives',
    skip: unheard,
    async run(bench) {
      const { maxTokens, schema } = await heard(bench, { maxTokens: 77, output: { name: 'answer', schema: SCHEMA } })
      same({ maxTokens, ...kept(schema) }, { maxTokens: 77, ...kept(SCHEMA) }, 'what was asked for')
    },
  },
]
