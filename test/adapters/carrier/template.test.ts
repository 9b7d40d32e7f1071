import { expect, test } from 'bun:test'
import { accept, formatResults } from '../../../plugins/acceptance/accept.ts'
import { acceptance } from '../../../plugins/carrier/acceptance.ts'
import type { Carrier } from '../../../plugins/carrier/contract.ts'
import template from '../../../plugins/carrier/template/index.ts'
import { rig } from '../../../plugins/carrier/template/rig.ts'

test('template: the carrier that `adapter new` writes passes the acceptance suite', async () => {
  const accepted = await accept(acceptance, template as unknown as Carrier, rig)
  expect(accepted.results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  expect(accepted.results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(55)
  expect(formatResults(accepted)).toContain('✓ a parcel is sent')
})
