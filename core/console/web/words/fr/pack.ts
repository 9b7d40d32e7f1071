import type { pack as english } from '../en/pack.ts'
import type { WordsLike } from '../words.ts'

/** Words of the page of packing, handing over and returns. */
export const pack: WordsLike<typeof english> = {
  'pack.step': 'Opération',
  'pack.step.pack': 'Emballer',
  'pack.step.handOver': 'Remettre au livreur',
  'pack.step.good': 'Retour en bon état',
  'pack.step.damaged': 'Retour abîmé',
  'pack.code': 'Numéro de suivi ou référence',
  'pack.record': 'Enregistrer',
  'pack.empty': 'Scannez un bordereau. Chaque résultat apparaît ici.',
  'pack.done': 'Enregistré',
  'pack.done_before': 'Déjà enregistré',
  'pack.reason.unknown': 'Aucun colis n’a ce numéro',
  'pack.reason.ambiguous': 'Plusieurs colis ont ce numéro',
  'pack.reason.other_carrier': 'Colis d’un autre transporteur',
  'pack.reason.cancelled': 'Annulé',
  'pack.reason.not_sent': 'Aucun transporteur ne l’a encore',
  'pack.reason.not_printed': 'Son bordereau n’est pas imprimé',
  'pack.reason.ended': 'Sa livraison est terminée',
  'pack.reason.not_returning': 'N’est pas en retour',
  'pack.reason.other_manifest': 'Sur un autre bon de remise',
  'pack.reason.full': 'Le bon de remise est plein',
}
