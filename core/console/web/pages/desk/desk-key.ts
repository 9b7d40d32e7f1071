/**
 * Key in the cache of what the desk reads. The keys of the lists of orders begin otherwise: a change of an order is written into everything
 * below theirs, which has another shape.
 */
export const deskKey = (storeId: string, ...what: readonly string[]) => ['desk', storeId, ...what]
