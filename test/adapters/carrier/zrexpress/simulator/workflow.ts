/** The default workflow: slug, French description, whether a parcel in it is locked. */
const defaults = [
  ['commande_recue', 'Commande reçue', false],
  ['en_traitement', 'En traitement', false],
  ['appel_confirmation', 'Appel de confirmation', false],
  ['commande_confirmee', 'Commande confirmée', false],
  ['en_preparation', 'En préparation', false],
  ['pret_a_expedier', 'Prêt à expédier', false],
  ['confirme_au_bureau', 'Confirmé au bureau', true],
  ['confirme_chez_partenaire', 'Confirmé chez le partenaire', true],
  ['dispatch', 'Dispatch', true],
  ['vers_wilaya', 'Vers wilaya', true],
  ['sortie_en_livraison', 'Sortie en livraison', true],
  ['en_livraison', 'En livraison', true],
  ['livre', 'livré au client', true],
  ['encaisse', 'Encaissé', true],
  ['recouvert', 'Recouvert', true],
  ['retour_sous_traitant', 'Retour sous-traitant', true],
  ['colis_recupere', 'Colis récupéré', true],
  ['attente_recuperation_fournisseur', 'En attente de récupération fournisseur', true],
  ['reinjecte_dans_stock', 'Réinjecté dans le stock', true],
  ['recupere_par_fournisseur', 'Récupéré par le fournisseur', true],
  ['remboursement_reinjecte', 'Remboursement réinjecté', true],
] as const

export interface State {
  readonly id: string
  name: string
  description: string
  readonly isLocked: boolean
  readonly color: string
}

export const READY = 'pret_a_expedier'
export const FIRST = 'commande_recue'
export const ended = new Set(['livre', 'encaisse', 'recouvert'])
export const back = new Set(['recupere_par_fournisseur', 'reinjecte_dans_stock', 'remboursement_reinjecte'])

/** Ids are the tenant's own: another one has others, and may call its states otherwise. */
export function createWorkflow() {
  const states: State[] = defaults.map(([name, description, isLocked]) => ({
    id: crypto.randomUUID(),
    name,
    description,
    isLocked,
    color: '#888',
  }))
  const byKey = new Map(states.map((state) => [state.name, state]))
  return {
    id: crypto.randomUUID(),
    states,
    byId: (id: unknown) => states.find((state) => state.id === id),
    /** By its first name, however the tenant calls it now; a word of no workflow becomes a state of its own. */
    called: (name: string): State => byKey.get(name) ?? { id: crypto.randomUUID(), name, description: name, isLocked: true, color: '#888' },
    rename(key: string, name: string, description = name) {
      Object.assign(byKey.get(key)!, { name, description })
    },
  }
}

export type Workflow = ReturnType<typeof createWorkflow>
