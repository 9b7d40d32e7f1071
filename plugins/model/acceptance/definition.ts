import { check, fails, fits, same, unique } from '../../acceptance/checks.ts'
import { fieldsAreSane, isSane, windowsAreSane } from '../../acceptance/definition.ts'
import { CONTRACT } from '../members.ts'
import { Model } from '../model.ts'
import { asks, collect, type Draft } from './bench.ts'

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
    name: 'wrong credentials are told as such, and nothing is begun',
    skip: ({ rig }) => !rig.badCredentials && 'it asks for no credentials',
    async run({ adapter, rig, open }) {
      const { context } = open({ credentials: { ...rig.credentials, ...rig.badCredentials } })
      await fails(adapter.testConnection(context), ['unauthorized'], 'connection test')
      const { parts, error } = await collect(adapter.complete(context, { model: rig.models.text, messages: [asks('Hello')] }))
      same(parts, [], 'parts')
      await fails(Promise.reject(error), ['unauthorized'], 'completion')
    },
  },
  {
    name: 'its models are told, each once, with what each takes, gives and costs',
    async run({ adapter, rig, open }) {
      const models = await adapter.models(open().context)
      for (const model of models) fits(Model, model, model.id)
      unique(
        models.map(({ id }) => id),
        'models',
      )
      const told = new Map(models.map((one) => [one.id, one]))
      for (const [gift, id] of Object.entries(rig.models)) same(told.get(id)?.gives, [gift], `what ${id} gives`)
      const { inputToken, outputToken } = told.get(rig.models.text)?.prices ?? {}
      if (rig.prices) same([inputToken, outputToken].map(Number), [rig.prices.inputToken, rig.prices.outputToken].map(Number), 'prices')
    },
  },
]
