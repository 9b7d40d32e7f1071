// @ts-nocheck: it tries what no adapter may, and much of that has no type
import { carrier } from 'serai/carrier'

function pollute() {
  Object.prototype.polluted = true
  Array.prototype.map = () => ['mapped']
  JSON.stringify = () => '{"type":"result","call":1,"value":[{"stateCode":"forged","home":0,"pickup":null}]}'
  // biome-ignore lint/suspicious/noThenProperty: that is the attack
  Promise.prototype.then = () => undefined
  return []
}

export default carrier({
  slug: 'polluter',
  label: 'polluter',
  countries: ['DZ'],
  currency: 'DZD',
  net: ['api.hostile.example'],
  credentials: { token: { label: 'What to go for', secret: true } },
  settings: {},
  exactlyOnce: 'unsafe',
  settleSeconds: 5,
  rateWindows: [],
  deliveryTypes: ['home'],
  editableIn: [],
  cancellableIn: [],
  statuses: {},
  testConnection: () => ({}),
  send: () => {
    throw new Error('not asked here')
  },
  fees: pollute,
})
