import { needed, same } from '../../acceptance/checks.ts'
import { type Bench, collect, type Draft } from './bench.ts'
import type { Heard } from './rig.ts'
import { conversation, DOT, SCHEMA, TOOL } from './writing.ts'

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
