/** As many places for each holder. A holder that has taken none is not stored. */
export class PlacesPerHolder {
  readonly #places: number;
  readonly #taken = new Map<string, number>();

  constructor(places: number) {
    this.#places = places;
  }

  hasPlace(holder: string): boolean {
    return this.#takenBy(holder) < this.#places;
  }

  take(holder: string): void {
    this.#taken.set(holder, this.#takenBy(holder) + 1);
  }

  giveBack(holder: string): void {
    const left = this.#takenBy(holder) - 1;
    if (left > 0) this.#taken.set(holder, left);
    else this.#taken.delete(holder);
  }

  #takenBy(holder: string): number {
    return this.#taken.get(holder) ?? 0;
  }
}
