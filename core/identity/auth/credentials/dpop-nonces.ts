import type { Vault } from '../../../lib/crypto/crypto.ts'
import { nonceIn } from './dpop.ts'

/** Each is good for this long at least, and twice as long at most. */
const SLOT_MS = 5 * 60_000

/**
 * What proofs of keys carry where an app asks for it (RFC 9449, 8 and 9), so that none is made long before it is sent. Made of the time and the host's
 * key: nothing is kept, and each process knows those of all.
 */
export interface DpopNonces {
  /** The one of now. */
  fresh(): string
  /** Whether a proof says one of ours; whoever made the proof is asked elsewhere. */
  isIn(proof: string): boolean
}

export function dpopNonces(vault: Pick<Vault, 'fingerprint'>): DpopNonces {
  const slotNow = () => Math.floor(Date.now() / SLOT_MS)
  const nonceOf = (slot: number) => vault.fingerprint(`dpop nonce ${slot}`)
  return {
    fresh: () => nonceOf(slotNow()),
    isIn(proof) {
      const [nonce, slot] = [nonceIn(proof), slotNow()]
      // The next one is of a process whose clock is further.
      return nonce !== undefined && [slot, slot - 1, slot + 1].some((each) => nonceOf(each) === nonce)
    },
  }
}
