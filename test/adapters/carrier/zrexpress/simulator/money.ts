import { type Books, deliveryPriceOf, type Json, type Parcel } from './parcels.ts'

interface Payment {
  readonly id: string
  readonly createdAt: string
  status: string
}

/** The carrier's books: an entry for each parcel whose money was collected, and the payouts they were put into. */
export function createMoney(books: Books, now: () => number) {
  const payments = new Map<string, Payment>()
  const debits = new Map<string, number>()
  const membersOf = (id: string) => books.all().filter(({ paymentId }) => paymentId === id)

  const entry = (parcel: Parcel, { marks }: { readonly marks: boolean }): Json => ({
    id: `entry-${parcel.id}`,
    amount: parcel.fields.amount,
    weightCost: 0,
    swapCost: 0,
    phoneChangeCost: '50.10',
    type: 'delivery',
    parcel: {
      trackingNumber: parcel.trackingNumber,
      externalId: parcel.fields.externalId,
      deliveryPrice: deliveryPriceOf(parcel),
      returnPrice: '200.00',
      managementFee: 20.2,
    },
    ...(marks && { supplierPaymentId: parcel.paymentId }),
  })

  /** What was taken stands before what was collected. */
  const entriesOf = (parcel: Parcel, { marks }: { readonly marks: boolean }): Json[] => {
    const [credit, taken] = [entry(parcel, { marks }), debits.get(parcel.trackingNumber)]
    return taken === undefined ? [credit] : [{ ...credit, id: `debit-${parcel.id}`, type: 'refund', amount: -taken }, credit]
  }

  return {
    entries: (marks: boolean) =>
      books
        .all()
        .filter(({ deliveredAt }) => deliveredAt !== null)
        .flatMap((parcel) => entriesOf(parcel, { marks })),
    linesOf: (id: string) => membersOf(id).flatMap((parcel) => entriesOf(parcel, { marks: true })),
    /** Takes something for a parcel, in an entry of its own. */
    debit: (tracking: string, dinars: number) => void debits.set(tracking, dinars),
    all: () => [...payments.keys()],
    shown(id: string): Json | undefined {
      const payment = payments.get(id)
      if (!payment) return undefined
      const members = membersOf(id)
      return {
        ...payment,
        amount: members.reduce((sum, { fields }) => sum + Number(fields.amount), 0),
        totalParcelsDelivered: members.length,
        totalParcelsCancelled: 0,
        totalRefundsCredited: 0,
        totalRefundsDebited: 0,
        labelingAmount: 0,
        storage: 0,
        referenceId: `REF-${id}`,
        paymentRequestId: null,
      }
    },
    pay(tracking: string, id: string) {
      if (!payments.has(id)) payments.set(id, { id, createdAt: new Date(now()).toISOString(), status: 'Pending' })
      books.must(tracking).paymentId = id
    },
    /** By its id or its reference. */
    accept(idOrReference: string): boolean {
      const payment = payments.get(idOrReference) ?? payments.get(idOrReference.replace(/^REF-/, ''))
      if (payment) payment.status = 'Accepted'
      return payment !== undefined
    },
  }
}
