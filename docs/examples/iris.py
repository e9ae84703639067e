# %% [markdown]
# An iris in WR-90 guide in Python alone: geometry by gmsh, config as a dictionary, one run, a sweep of twelve fillings.
# The cells are those of a notebook (Jupyter, VS Code); `python iris.py` runs them all. Needs gmsh, curlew-em[plot].
# %%
import gmsh
import numpy as np
import curlew_em as curlew

def guide(gap, a=22.86, b=10.16, length=30, thickness=2):
    """A guide with an inductive iris of this gap [mm] in its middle, with named regions."""
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    occ = gmsh.model.occ
    posts = [(3, occ.addBox(x, 0, (length - thickness) / 2, (a - gap) / 2, b, thickness)) for x in (0, (a + gap) / 2)]
    air, _ = occ.cut([(3, occ.addBox(0, 0, 0, a, b, length))], posts)
    occ.synchronize()
    ends = [[tag for _, tag in gmsh.model.getEntitiesInBoundingBox(-1, -1, z - 0.1, a + 1, b + 1, z + 0.1, 2)] for z in (0, length)]
    walls = [tag for _, tag in gmsh.model.getEntities(2) if tag not in sum(ends, [])]
    for dimension, tags, name in ((3, [air[0][1]], "air"), (2, ends[0], "in"), (2, ends[1], "out"), (2, walls, "walls")):
        gmsh.model.addPhysicalGroup(dimension, tags, name=name)
    gmsh.option.setNumber("Mesh.MeshSizeMax", 4)
    return gmsh.model

def config(gap):
    return {"title": f"iris {gap:g} mm", "mesh": {"file": guide(gap), "unit": "mm"}, "space": {"order": 2},
            "frequency": {"values": [8.2e9, 9e9, 10e9, 11e9, 12.4e9]}, "material": [{"region": "air"}],
            "boundary": [{"region": "walls", "type": "pec"}], "output": {"fields": True},
            "port": [{"region": "in", "type": "waveguide", "excite": True}, {"region": "out", "type": "waveguide"}]}
# %%
run = curlew.run("fem-solve", config(12), output="results/iris12")
run.network().s_db[:, 1, 0]                  # scikit-rf
# %%
print(curlew.plot(run))                      # PNG pictures
along = run.fields(10e9).sample_over_line((11.43e-3, 5.08e-3, 0), (11.43e-3, 5.08e-3, 30e-3))          # PyVista, metres
print("greatest field", along["E_abs"].max(), "V/m")   # run.fields(10e9).plot(scalars="E_abs") turns with the mouse
# %%
twelve = curlew.run("fem-solve", run.folder.with_suffix(".toml"), {"accuracy.estimate": "off"}, output="results/iris12_sweep",
                    sweep={"material.0.epsilon_r": np.linspace(1, 1.55, 12)})
through = abs(twelve.s.sel({"to": "out TE10", "from": "in TE10"}))    # xarray over frequency_hz and epsilon_r
print(through.sel(frequency_hz=8.2e9).to_series())
