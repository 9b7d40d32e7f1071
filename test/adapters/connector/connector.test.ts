import { expect, test } from 'bun:test'
import easyorders from '../../../adapters/connector/easyorders/index.ts'
import lightfunnels from '../../../adapters/connector/lightfunnels/index.ts'
import metaLeads from '../../../adapters/connector/meta-leads/index.ts'
import salla from '../../../adapters/connector/salla/index.ts'
import sandboxShop from '../../../adapters/connector/sandbox-shop/index.ts'
import shopify from '../../../adapters/connector/shopify/index.ts'
import woocommerce from '../../../adapters/connector/woocommerce/index.ts'
import youcan from '../../../adapters/connector/youcan/index.ts'
import zid from '../../../adapters/connector/zid/index.ts'
import { accept, asTable, countOf } from '../../../plugins/connector/accept.ts'
import template from '../../../plugins/connector/template/index.ts'
import { rig as templateRig } from '../../../plugins/connector/template/rig.ts'
import { rig as easyRig } from './easyorders/rig.ts'
import { rig as lightRig } from './lightfunnels/rig.ts'
import { rig as metaLeadsRig } from './meta-leads/rig.ts'
import { rig as sallaRig } from './salla/rig.ts'
import { rig as sandboxRig } from './sandbox-shop/rig.ts'
import { rig as shopifyRig } from './shopify/rig.ts'
import { rig as wooRig } from './woocommerce/rig.ts'
import { rig as youcanRig } from './youcan/rig.ts'
import { rig as zidRig } from './zid/rig.ts'

test.each([
  ['sandbox-shop', sandboxShop, sandboxRig],
  ['woocommerce', woocommerce, wooRig],
  ['shopify', shopify, shopifyRig],
  ['youcan', youcan, youcanRig],
  ['easyorders', easyorders, easyRig],
  ['lightfunnels', lightfunnels, lightRig],
  ['meta-leads', metaLeads, metaLeadsRig],
  ['salla', salla, sallaRig],
  ['zid', zid, zidRig],
  ['what a new adapter begins with', template, templateRig],
] as const)('%s passes what every platform of shops passes', async (_, platform, rigOf) => {
  const accepted = await accept(platform, rigOf)
  if (countOf(accepted, 'failed') > 0) throw new Error(asTable(accepted))
  expect(countOf(accepted, 'passed')).toBeGreaterThan(11)
})
