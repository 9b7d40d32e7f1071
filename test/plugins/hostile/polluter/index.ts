// @ts-nocheck: it tries what no adapter may, and much of that has no type
import { carrier } from 'serai/carrier'
import { harmless } from './harmless.ts'

function pollute() {
  Object.prototype.polluted = true
  Array.prototype.map = () => ['mapped']
  JSON.stringify = () => '{"type":"result","call":1,"value":[{"stateCode":"forged","home":0,"pickup":null}]}'
  // biome-ignore lint/suspicious/noThenProperty: that is the attack
  Promise.prototype.then = () => undefined
  return []
}

export default carrier({
  ...harmless('polluter'),
  fees: pollute,
})
