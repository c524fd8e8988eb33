"""Trains the word vectors of find_tool: python3 train.py FOLDER OUT (needs numpy and scipy; see README.md).

FOLDER/examples.json -> OUT. A question is the idf-weighted mean of the vectors of its stems and pairs of neighbours;
a group of operations is a vector and a bias; softmax over groups, cross entropy, Adagrad, dropout of words. Of each model
the mean over its last epochs counts. The mean of the logits of two models is one model of their joined vectors: its first
principal axes are written as bytes.
"""
import json
import multiprocessing
import struct
import sys

import numpy as np
import scipy.sparse as sparse

folder, out = sys.argv[1:3]
DIMENSIONS, RATE, BATCH, SHARPNESS, AVERAGED = 100, 0.05, 256, 10, 5
# Seed, dropout and epochs of each model.
MODELS = ((1, 0.4, 9), (2, 0.5, 10))
START_LENGTH, PAIR_WEIGHT, LEAST_PAIRS, LEAST_STEMS = 0.3, 0.7, 6, 2
KEPT_DIMENSIONS = 128
data = json.load(open(f"{folder}/examples.json"))
examples, names, groups = data["examples"], data["terms"], data["groups"]

counts = np.zeros(len(names), int)
for example in examples:
    counts[example["terms"]] += 1
is_pair = np.array([" " in name for name in names])
kept = np.where(counts >= np.where(is_pair, LEAST_PAIRS, LEAST_STEMS))[0]
row_of = -np.ones(len(names), int)
row_of[kept] = np.arange(len(kept))
idf = np.log((len(examples) + 1) / (counts[kept] + 1)).astype("f") * np.where(is_pair[kept], PAIR_WEIGHT, 1).astype("f")


def matrix():
    rows, columns, values = [], [], []
    for i, example in enumerate(examples):
        own = [row_of[t] for t in example["terms"] if row_of[t] >= 0]
        length = np.sqrt(sum(idf[t] ** 2 for t in own)) or 1
        rows += [i] * len(own)
        columns += own
        values += [idf[t] / length for t in own]
    return sparse.csr_matrix((np.array(values, "f"), (rows, columns)), shape=(len(examples), len(kept)))


def start_vectors():
    known = {stem: np.array(v, "f") / np.linalg.norm(v) for stem, v in data["start"].items()}
    mean = np.mean(list(known.values()), 0)
    start = np.zeros((len(kept), DIMENSIONS), "f")
    for row, term in enumerate(kept):
        stems = names[term].split(" ")
        for stem in stems:
            if stem in known:
                start[row] += (known[stem] - mean) * START_LENGTH / len(stems)
    return start


texts, right = matrix(), np.array([example["group"] for example in examples])
members = sparse.csr_matrix((np.ones(len(right)), (right, np.arange(len(right)))), shape=(len(groups), len(right)))


class Adagrad:
    """One step size a row."""

    def __init__(self, values):
        self.values, self.squares = values, np.full((len(values),) + (1,) * (values.ndim - 1), 1e-4, "f")

    def step(self, gradient, rows=slice(None)):
        self.squares[rows] += (gradient**2).mean(1, keepdims=True) if gradient.ndim > 1 else gradient**2
        self.values[rows] -= RATE * gradient / np.sqrt(self.squares[rows])


def train(seed, dropout, epochs):
    random = np.random.default_rng(seed)
    terms = start_vectors()
    vectors = (members @ (texts @ terms)).astype("f")
    vectors *= 0.5 / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-6)
    bias = np.zeros(len(groups), "f")
    steps = [Adagrad(part) for part in (terms, vectors, bias)]
    means = [np.zeros_like(part) for part in (terms, vectors, bias)]
    for epoch in range(epochs):
        order, loss = random.permutation(len(examples)), 0.0
        for begin in range(0, len(order), BATCH):
            at = order[begin : begin + BATCH]
            batch = texts[at].copy()
            batch.data *= (random.random(len(batch.data)) > dropout) / (1 - dropout)
            hidden = batch @ terms
            logits = hidden @ vectors.T * SHARPNESS + bias
            logits -= logits.max(1, keepdims=True)
            share = np.exp(logits)
            share /= share.sum(1, keepdims=True)
            own = np.arange(len(at))
            loss -= np.log(share[own, right[at]] + 1e-9).sum()
            share[own, right[at]] -= 1
            share /= len(at)
            to_vectors, to_hidden, to_bias = share.T @ hidden * SHARPNESS, share @ vectors * SHARPNESS, share.sum(0)
            used = np.unique(batch.indices)
            steps[0].step((batch.T @ to_hidden)[used], used)
            steps[1].step(to_vectors)
            steps[2].step(to_bias)
        if epoch >= epochs - AVERAGED:
            for mean, now in zip(means, (terms, vectors, bias)):
                mean += now / AVERAGED
        print(f"model {seed}, epoch {epoch + 1} of {epochs}: loss {loss / len(examples):.3f}", flush=True)
    return means


def as_bytes(values):
    scale = (np.abs(values).max(1) / 127 + 1e-12).astype("<f4")
    return np.round(values / scale[:, None]).astype(np.int8), scale


with multiprocessing.get_context("fork").Pool(len(MODELS)) as pool:
    models = pool.starmap(train, MODELS)
terms = np.hstack([model[0] for model in models])
vectors = np.hstack([model[1] for model in models]) * SHARPNESS / len(models)
bias = np.mean([model[2] for model in models], 0)
# Turned to the principal axes of the groups, so that the first dimensions say most and the last can be left out.
axes = np.linalg.eigh(vectors.T @ vectors)[1][:, ::-1][:, :KEPT_DIMENSIONS]
term_bytes, term_scale = as_bytes(terms @ axes)
group_bytes, group_scale = as_bytes(vectors @ axes)
head = {"dimensions": KEPT_DIMENSIONS, "terms": [names[t] for t in kept], "groups": groups}
header = json.dumps(head, ensure_ascii=False).encode()
with open(out, "wb") as file:
    file.write(struct.pack("<I", len(header)) + header)
    for part in (term_scale, idf.astype("<f4"), group_scale, bias.astype("<f4"), term_bytes, group_bytes):
        file.write(part.tobytes())
