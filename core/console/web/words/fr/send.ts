import type { send as english } from '../en/send.ts'
import type { WordsLike } from '../words.ts'

/** Words of the page that sends orders. */
export const send: WordsLike<typeof english> = {
  'send.title': { one: '{count} commande à expédier', other: '{count} commandes à expédier' },
  'send.sendAndPrint': { one: 'Expédier et imprimer', other: 'Expédier et imprimer {count}' },
  'send.empty': 'Rien à expédier. Les commandes confirmées apparaissent ici.',
  'send.more': 'D’autres commandes attendent. Expédiez ou corrigez d’abord celles-ci.',
  'send.carrier': 'Transporteur',
  'send.orders': 'Commandes',
  'send.toCollect': 'À encaisser',
  'send.notSent': { one: '{count} commande ne peut pas partir', other: '{count} commandes ne peuvent pas partir' },
  'send.choose': 'Choisir les commandes une par une',
}
