import { check, fails, fits, same, unique } from '../../acceptance/checks.ts'
import { fieldsAreSane, isSane, windowsAreSane } from '../../acceptance/definition.ts'
import { CONTRACT } from '../members.ts'
import { Model } from '../model.ts'
import { asks, collect, type Draft } from './bench.ts'

/** Cases about the definition, the connection test and the list of models. */
export const definitionCases = (): Draft[] => [
  {
    name: 'the definition is sane',
    async run({ adapter }) {
      isSane(adapter, { name: 'model', contract: CONTRACT })
      windowsAreSane(adapter)
      fieldsAreSane(adapter)
      const { address } = adapter
      check(address === undefined || adapter.settings[address], 'address names one of the settings')
    },
  },
  {
    name: 'the connection test passes',
    async run({ adapter, open }) {
      same(typeof (await adapter.testConnection(open().context)), 'object', 'answer')
    },
  },
  {
    name: 'wrong credentials are reported as unauthorized, and nothing is generated',
    skip: ({ rig }) => !rig.badCredentials && 'it needs no credentials',
    async run({ adapter, rig, open }) {
      const { context } = open({ credentials: { ...rig.credentials, ...rig.badCredentials } })
      await fails(adapter.testConnection(context), ['unauthorized'], 'connection test')
      const { parts, error } = await collect(adapter.complete(context, { model: rig.models.text, messages: [asks('Hello')] }))
      same(parts, [], 'parts')
      await fails(Promise.reject(error), ['unauthorized'], 'completion')
    },
  },
  {
    name: 'each model is listed once, with its input, output and prices',
    async run({ adapter, rig, open }) {
      const models = await adapter.models(open().context)
      for (const model of models) fits(Model, model, model.id)
      unique(
        models.map(({ id }) => id),
        'models',
      )
      const listed = new Map(models.map((one) => [one.id, one]))
      for (const [gift, id] of Object.entries(rig.models)) same(listed.get(id)?.gives, [gift], `what ${id} gives`)
      const { inputToken, outputToken } = listed.get(rig.models.text)?.prices ?? {}
      if (rig.prices) same([inputToken, outputToken].map(Number), [rig.prices.inputToken, rig.prices.outputToken].map(Number), 'prices')
    },
  },
]
