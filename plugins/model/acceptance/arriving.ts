import { needed, same } from '../../acceptance/checks.ts'
import { answered, asks, type Bench, callsOf, collect, type Draft } from './bench.ts'
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
    name: 'how long an answer may be, and what it has to fit, arrives',
    skip: unheard,
    async run(bench) {
      const { maxTokens, schema } = await heard(bench, { maxTokens: 77, output: { name: 'answer', schema: SCHEMA } })
      same({ maxTokens, ...kept(schema) }, { maxTokens: 77, ...kept(SCHEMA) }, 'what was asked for')
    },
  },
]
