import { fails, needed, same } from '../../acceptance/checks.ts'
import { fieldsAreSane, isSane, windowsAreSane } from '../../acceptance/definition.ts'
import { CONTRACT, type SocialAdapter, social } from '../kind.ts'
import type { Draft } from './draft.ts'

/** Cases about the definition and the connection test. */
export const definitionCases = ({ testConnection }: SocialAdapter): Draft[] => [
  {
    name: 'the definition is sane',
    run({ adapter }) {
      isSane(adapter, { name: 'social', contract: CONTRACT })
      windowsAreSane(adapter)
      same(social.problems?.(adapter), [], 'problems')
    },
  },
  { name: 'the fields can be shown in a form', run: ({ adapter }) => fieldsAreSane(adapter) },
  {
    name: 'wrong credentials are reported as unauthorized',
    unless: !testConnection && 'credentials can only be tested by a sign-in',
    async run({ adapter, rig, open }) {
      same(typeof (await adapter.testConnection?.(open().context)), 'object', 'answer')
      const { context } = open({ credentials: { ...rig.credentials, ...needed(rig.badCredentials, 'badCredentials') } })
      await fails(adapter.testConnection?.(context), ['unauthorized'], 'connection test')
    },
  },
]
