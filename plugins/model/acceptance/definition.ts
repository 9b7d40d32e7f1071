import { assertEqual, assertFits, assertUnique, check, expectFailure } from '../../acceptance/checks.ts'
import { assertDefinition, assertFields, assertRateWindows } from '../../acceptance/definition.ts'
import { CONTRACT } from '../members.ts'
import { Model } from '../model.ts'
import { collect, type Draft, userMessage } from './bench.ts'

/** Cases about the definition, the connection test and the list of models. */
export const definitionCases = (): Draft[] => [
  {
    name: 'the definition is sane',
    async run({ adapter }) {
      assertDefinition(adapter, { name: 'model', contract: CONTRACT })
      assertRateWindows(adapter)
      assertFields(adapter)
      const { address } = adapter
      check(address === undefined || adapter.settings[address], 'address names one of the settings')
    },
  },
  {
    name: 'the connection test passes',
    async run({ adapter, open }) {
      assertEqual(typeof (await adapter.testConnection(open().context)), 'object', 'answer')
    },
  },
  {
    name: 'wrong credentials are reported as unauthorized, and nothing is generated',
    skip: ({ rig }) => !rig.badCredentials && 'it needs no credentials',
    async run({ adapter, rig, open }) {
      const { context } = open({ credentials: { ...rig.credentials, ...rig.badCredentials } })
      await expectFailure(adapter.testConnection(context), ['unauthorized'], 'connection test')
      const { parts, error } = await collect(adapter.complete(context, { model: rig.models.text, messages: [userMessage('Hello')] }))
      assertEqual(parts, [], 'parts')
      await expectFailure(Promise.reject(error), ['unauthorized'], 'completion')
    },
  },
  {
    name: 'each model is listed once, with its input, output and prices',
    async run({ adapter, rig, open }) {
      const models = await adapter.models(open().context)
      for (const model of models) assertFits(Model, model, model.id)
      assertUnique(
        models.map(({ id }) => id),
        'models',
      )
      const listed = new Map(models.map((one) => [one.id, one]))
      for (const [gift, id] of Object.entries(rig.models)) assertEqual(listed.get(id)?.gives, [gift], `what ${id} gives`)
      const { inputToken, outputToken } = listed.get(rig.models.text)?.prices ?? {}
      if (rig.prices)
        assertEqual([inputToken, outputToken].map(Number), [rig.prices.inputToken, rig.prices.outputToken].map(Number), 'prices')
    },
  },
]
